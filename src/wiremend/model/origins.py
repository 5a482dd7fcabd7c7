"""Origins: who put a message into the history, and why.

Twelve kinds, a union tagged by ``kind``. A kind that this version does not know is an
``UnknownOrigin``; fields that it does not know are in ``extras``. Both are written back to
JSON exactly as they were read (see ``codec``).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

from wiremend.model.parts import Extras, Value


class BaseOrigin(Value, frozen=True, tag_field="kind"):
    """What all origins share. ``kept`` is whether compaction keeps the message."""

    kind: ClassVar[str] = ""
    extras: Extras | None = None

    @property
    def kept(self) -> bool:
        """Whether a message of this origin is a real user input, which compaction keeps."""
        return False


class UserOrigin(BaseOrigin, frozen=True, tag="user"):
    """Typed by the user."""

    kind: ClassVar[str] = "user"
    skill_activations: list[Any] | None = None

    @property
    def kept(self) -> bool:  # noqa: D102
        return True


class SkillActivationOrigin(BaseOrigin, frozen=True, tag="skill_activation", kw_only=True):
    """A skill's instructions."""

    kind: ClassVar[str] = "skill_activation"
    activation_id: str
    skill_name: str
    trigger: str
    skill_args: str | None = None
    skill_type: str | None = None
    skill_path: str | None = None
    skill_source: str | None = None

    @property
    def kept(self) -> bool:  # noqa: D102
        return self.trigger == "user-slash"


class PluginCommandOrigin(BaseOrigin, frozen=True, tag="plugin_command", kw_only=True):
    """A plugin's command, entered by the user."""

    kind: ClassVar[str] = "plugin_command"
    activation_id: str
    plugin_id: str
    command_name: str
    trigger: str
    command_args: str | None = None

    @property
    def kept(self) -> bool:  # noqa: D102
        return True


class InjectionOrigin(BaseOrigin, frozen=True, tag="injection", kw_only=True):
    """Put in by the engine, such as a reminder."""

    kind: ClassVar[str] = "injection"
    variant: str
    owner_prompt_id: str | None = None
    disclosure: Any = None


class ShellCommandOrigin(BaseOrigin, frozen=True, tag="shell_command", kw_only=True):
    """A command that the user ran in the session's shell, or what it printed."""

    kind: ClassVar[str] = "shell_command"
    phase: Literal["input", "output"]
    is_error: bool | None = None


class CompactionSummaryOrigin(BaseOrigin, frozen=True, tag="compaction_summary"):
    """The summary that stands for what compaction removed."""

    kind: ClassVar[str] = "compaction_summary"


class SystemTriggerOrigin(BaseOrigin, frozen=True, tag="system_trigger", kw_only=True):
    """Something in the engine asked for a turn."""

    kind: ClassVar[str] = "system_trigger"
    name: str


class TaskOrigin(BaseOrigin, frozen=True, tag="task", kw_only=True):
    """A background task's notification."""

    kind: ClassVar[str] = "task"
    task_id: str
    status: str
    notification_id: str


class CronJobOrigin(BaseOrigin, frozen=True, tag="cron_job", kw_only=True):
    """A scheduled prompt."""

    kind: ClassVar[str] = "cron_job"
    job_id: str
    cron: str
    recurring: bool
    coalesced_count: int
    stale: bool


class CronMissedOrigin(BaseOrigin, frozen=True, tag="cron_missed", kw_only=True):
    """Scheduled prompts that came due while nothing ran."""

    kind: ClassVar[str] = "cron_missed"
    count: int


class HookResultOrigin(BaseOrigin, frozen=True, tag="hook_result", kw_only=True):
    """What a hook answered."""

    kind: ClassVar[str] = "hook_result"
    event: str
    blocked: bool | None = None


class RetryOrigin(BaseOrigin, frozen=True, tag="retry"):
    """A turn that is tried again."""

    kind: ClassVar[str] = "retry"
    trigger: str | None = None


class UnknownOrigin(BaseOrigin, frozen=True, tag="unknown", kw_only=True):
    """An origin of a kind that this version does not know; ``data`` is its whole JSON."""

    kind: ClassVar[str] = "unknown"
    data: dict[str, Any]


Origin: TypeAlias = (
    UserOrigin
    | SkillActivationOrigin
    | PluginCommandOrigin
    | InjectionOrigin
    | ShellCommandOrigin
    | CompactionSummaryOrigin
    | SystemTriggerOrigin
    | TaskOrigin
    | CronJobOrigin
    | CronMissedOrigin
    | HookResultOrigin
    | RetryOrigin
    | UnknownOrigin
)
