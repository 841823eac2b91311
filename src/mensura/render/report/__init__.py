"""The page of a report: findings, sections, the methods paragraph with its bibliography, and the files that it is built from."""
