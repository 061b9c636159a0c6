4:11 ctx-actions warning: `ctx.new_file` is gone; `ctx.actions.declare_file` took its place (likely_preserving: Use `ctx.actions.declare_file`)
5:14 ctx-actions warning: `ctx.new_file` is gone; `ctx.actions.declare_file` took its place (likely_preserving: Use `ctx.actions.declare_file`)
6:15 ctx-actions warning: `ctx.new_file` is gone; `ctx.actions.declare_file` took its place
7:5 ctx-actions warning: `ctx.experimental_new_directory` is gone; `ctx.actions.declare_directory` took its place (likely_preserving: Use `ctx.actions.declare_directory`)
8:5 ctx-actions warning: `ctx.file_action` is gone; `ctx.actions.write` took its place (likely_preserving: Use `ctx.actions.write`)
9:5 ctx-actions warning: `ctx.action` is gone; `ctx.actions.run_shell` took its place (likely_preserving: Use `ctx.actions.run_shell`)
10:5 ctx-actions warning: `ctx.action` is gone; `ctx.actions.run` took its place (likely_preserving: Use `ctx.actions.run`)
11:5 ctx-actions warning: `ctx.action` is gone; `ctx.actions.run` took its place
12:5 ctx-actions warning: `ctx.empty_action` is gone; `ctx.actions.do_nothing` took its place (likely_preserving: Use `ctx.actions.do_nothing`)
13:5 ctx-actions warning: `ctx.template_action` is gone; `ctx.actions.expand_template` took its place (likely_preserving: Use `ctx.actions.expand_template`)
16:5 ctx-args warning: `add` takes a single value; `add_all` takes several (likely_preserving: Use `add_all`)
17:5 ctx-args warning: `add` takes a single value; `add_joined` takes several (likely_preserving: Use `add_joined`)
18:5 ctx-args warning: `add` takes a single value; `add_all` takes several (likely_preserving: Use `add_all`)
19:5 rule-impl-return warning: a rule returns a list of providers
19:27 output-group warning: `output_group` is gone; `OutputGroupInfo` holds the same (likely_preserving: Use the provider)
