"""Brokers for development, the demo and the tests: started as processes of our own on the loopback address."""
