"""Reading, as mensura.io does it."""  # noqa: A005 - it mirrors the package
