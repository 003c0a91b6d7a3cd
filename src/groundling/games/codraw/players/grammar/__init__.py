"""Finding in what people write which pieces they speak of."""
