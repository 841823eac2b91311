"""Records: how a result came about, and making it again."""
