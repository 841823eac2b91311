"""The API keeps to its description: schemathesis makes requests out of it, right and wrong ones."""

from __future__ import annotations

import itertools
import warnings

import pytest
from hypothesis import HealthCheck, Phase, given, settings

with warnings.catch_warnings():  # of its own dependencies
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

SIMPLE = {"GET /api/measures", "GET /api/files", "DELETE /api/session"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def try_everything(running, examples):
    """So many requests, to every operation in turn."""
    schema = schemathesis.openapi.from_dict(running.app.openapi())
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 15
    seen = {}
    with running.client() as client:
        for operation, mode in itertools.product(operations, schemathesis.GenerationMode):
            if mode.is_negative and operation.label in SIMPLE:
                continue  # nothing about it could be wrong

            @settings(
                max_examples=max(1, examples // (2 * len(operations))),
                deadline=None,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
                derandomize=True,
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def one(case):
                response = case.call(base_url=running.address)
                seen[case.operation.label, response.status_code] = seen.get((case.operation.label, response.status_code), 0) + 1
                case.validate_response(response, checks=CHECKS)

            one()
            client.delete("/api/session")
    return seen


@pytest.mark.filterwarnings("ignore")
def test_no_request_breaks_the_server(running):
    seen = try_everything(running, 260)
    assert sum(seen.values()) >= 150
    assert max(status for _, status in seen) < 500
    assert {200, 201, 202, 204, 404, 422} <= {status for _, status in seen}
    with running.client() as client:
        assert client.get("/api/order").status_code == 200


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_two_thousand_requests(running):
    seen = try_everything(running, 2800)
    assert sum(seen.values()) >= 1500
    assert max(status for _, status in seen) < 500
