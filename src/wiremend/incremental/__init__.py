"""Requests of a history that grows: a step costs what was added, not what is there."""

from wiremend.incremental.followers import Followers
from wiremend.incremental.projection import IncrementalProjection
from wiremend.incremental.requests import RequestBuilder

__all__ = ["Followers", "IncrementalProjection", "RequestBuilder"]
