"""The five papers, row by row: definitions, theorems, examples, figures, tables, recommendations, as a user can run them."""
