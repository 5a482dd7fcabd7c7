"""What the model behind a simulated provider answers: scripts, and answers in each dialect.

All of it is values and pure functions; ``wiremend.simulator`` puts them on a socket.
"""
