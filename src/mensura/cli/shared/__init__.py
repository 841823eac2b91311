"""Options, input and output that several commands share."""
