"""Tool names: which role a tool plays, whatever its harness calls it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Role = Literal[
    "shell",
    "python",
    "read",
    "search",
    "edit",
    "write",
    "editor",
    "patch",
    "insert",
    "window_edit",
    "delete",
    "undo",
    "plan",
    "web",
    "browse",
    "poll",
    "delegate",
    "submit",
    "checkpoint",
    "look",
    "other",
]

_ROLES: Final[dict[Role, str]] = {
    "shell": "bash shell exec_command local_shell local_shell_call container.exec execute_bash run_command "
    "run_in_terminal terminal "
    "execute_command run_terminal_cmd run_terminal_command cmdrun run cmd sh zsh powershell run_shell_command "
    "shell_command exec "
    "command bash_command unified_exec execute execute_bash_command run_bash terminal_execute system",
    "python": "ipython python execute_ipython_cell run_ipython run_cell jupyter run_python code_interpreter "
    "execute_python python_exec",
    "read": "read open read_file view view_file cat_file open_file read_many_files notebookread view_image show_file "
    "get_file fileread "
    "goto scroll_up scroll_down filemap read_text_file read_notebook readfile file_read cat",
    "search": "glob grep ls list_dir list_directory list_files find_file search_dir search_file search_files search "
    "search_file_content "
    "codebase_search grep_search file_search find_by_name list tool_search toolsearch find glob_file_search ripgrep grep_files "
    "search_code semantic_search list_code_usages get_errors read_lints listmcpresources readmcpresource listmcpresourcestool "
    "list_mcp_resources read_mcp_resource directory_tree get_changed_files",
    "edit": "edit multiedit edit_file str_replace replace search_replace replace_string_in_file multi_edit file_edit "
    "edit_notebook "
    "notebookedit replace_in_file multi_replace_string_in_file search_and_replace replace_file_content "
    "update_file smart_edit fileedit "
    "find_and_replace edit_file_content morph_edit",
    "write": "write create write_file create_file write_to_file file_write save_file new_file create_new_file "
    "filewrite append append_file",
    "editor": "str_replace_editor str_replace_based_edit_tool file_editor text_editor editor edit_anthropic fileeditor",
    "patch": "apply_patch applypatch patch apply_diff",
    "insert": "insert insert_edit_into_file insert_content insert_lines insert_line",
    "delete": "delete_file remove_file delete move_file rename_file",
    "undo": "undo_edit undo undo_last revert_file restore_file",
    "plan": "todowrite update_plan todo_write exitplanmode exit_plan_mode enterplanmode taskcreate taskupdate plan "
    "manage_todo_list "
    "write_todos todo set_plan update_todo_list task_tracker create_plan sequentialthinking",
    "web": "websearch web_search web_search_call web_search_preview webfetch web_fetch fetch fetch_url "
    "google_web_search search_web "
    "read_url fetch_webpage url_fetch http_request",
    "browse": "browse browser browser_action browser_navigate web_browser puppeteer_navigate goto_url open_url",
    "poll": "write_stdin bashoutput bash_output taskoutput get_terminal_output read_terminal wait read_background "
    "agentoutput command_status "
    "execute_bash_input wait_agent",
    "delegate": "task agent delegate spawn_agent new_task runsubagent dispatch_agent send_input close_agent resume_agent "
    "oracle",
    "submit": "submit finish attempt_completion complete_task task_complete submit_answer submit_solution final_answer "
    "exit_cost "
    "exit_context exit_forfeit mark_task_complete agentfinish submit_final submit_task",
    "checkpoint": "checkpoint snapshot ghost_snapshot git_commit save_checkpoint",
    "look": "todoread read_todos tasklist taskget get_plan",
    "other": "killshell killbash kill_terminal taskstop think thought askuserquestion ask_user request_user_input "
    "ask_followup_question "
    "skill slashcommand message condense recall noop null sleep multi_tool_use.parallel hook",
}
_BY_NAME: Final[dict[str, Role]] = {name: role for role, names in _ROLES.items() for name in names.split()}
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EXPLORE_VERBS: Final = frozenset(
    [
        "read",
        "get",
        "list",
        "search",
        "find",
        "view",
        "show",
        "describe",
        "query",
        "lookup",
        "browse",
        "inspect",
        "resolve",
        "open",
        "cat",
        "tree",
        "stat",
        "fetch",
        "check",
        "ls",
        "explore",
        "count",
    ]
)
_EDIT_VERBS: Final = frozenset(
    [
        "write",
        "edit",
        "create",
        "update",
        "replace",
        "insert",
        "delete",
        "remove",
        "rename",
        "move",
        "patch",
        "apply",
        "append",
        "modify",
    ]
)
_RUN_VERBS: Final = frozenset(["run", "exec", "execute", "shell", "bash", "terminal"])
_FILE_WORDS: Final = frozenset(
    ["file", "files", "text", "content", "symbol", "body", "lines", "regex", "code", "notebook", "cell", "document", "range"]
)
_FAMILY: Final[dict[Role, str]] = {
    "shell": "bash",
    "window_edit": "edit",
    "editor": "edit",
    "insert": "edit",
    "python": "python",
    "look": "read",
}


@lru_cache(maxsize=4096)
def role_of(tool: str) -> Role:
    """The role of a tool by its name; names of MCP servers' tools are read by their verb."""
    plain = tool.strip().removeprefix("functions.").rsplit("__", 1)[-1]
    lower = plain.lower().replace("-", "_")
    known = _BY_NAME.get(lower) or _BY_NAME.get(_CAMEL.sub("_", plain).lower())
    if known is None and lower.endswith(("_tool", "action")):
        known = _BY_NAME.get(lower.removesuffix("_tool").removesuffix("action"))
    if known is not None:
        return known
    words = set(_CAMEL.sub("_", plain).lower().replace("-", "_").replace(".", "_").split("_"))
    if words & _RUN_VERBS and words & {"command", "shell", "bash", "terminal", "cmd", "code", "script"}:
        return "shell"
    if words & _EDIT_VERBS and words & _FILE_WORDS:
        return (
            "delete" if words & {"delete", "remove", "rename", "move"} else "write" if words & {"write", "create"} else "edit"
        )
    if words & {"navigate", "browser"}:
        return "browse"
    return "look" if words & _EXPLORE_VERBS else "other"


def family(tool: str, role: Role) -> str:
    """The tool's family: MultiEdit and Edit are one."""
    if role in {"other", "look"}:
        return tool.lower()[:60]
    return _FAMILY.get(role, role)
