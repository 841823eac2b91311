"""What the numbers of a measure mean: interval scales and how to count them."""
