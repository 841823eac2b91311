"""Coverage-guided fuzzing of every reader: ``./dev fuzz [MINUTES]``."""
