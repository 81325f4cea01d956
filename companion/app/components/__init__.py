"""The parts that screens are made of; each shows what it is given and calls back."""
