"""Tools."""

def tool(name, srcs):
    """Declares a tool.

    Args:
      name: its name
      srcs: its sources
    """
    native.filegroup(name = name, srcs = srcs)

def old_tool(name):
    """Declares nothing.

    Args:
      name: its name
    """
    tool(name = name, srcs = [])
