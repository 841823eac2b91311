"""Python that evaluates retrieval, read from its syntax tree: measures, tests, splits and printed digits."""
