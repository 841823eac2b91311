"""Engines: one way to spread independent pieces of work. Threads of this process are the engine that is always there."""
