"""The partial order of judged runs, and the properties of measures on it (P0, P4 §IV)."""
