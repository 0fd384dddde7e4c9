(module name: [(constant) (scope_resolution)] @name) @module
(class name: [(constant) (scope_resolution)] @name) @class
(method name: [(identifier) (constant) (operator) (setter)] @name) @method
(singleton_method name: [(identifier) (constant) (operator) (setter)] @name) @method
(assignment left: [(constant) (class_variable)] @name) @constant
(assignment left: (left_assignment_list (constant) @name)) @constant
(call method: (identifier) @_call arguments: (argument_list (simple_symbol) @name) (#any-of? @_call "attr_reader" "attr_writer" "attr_accessor")) @property
(call method: (identifier) @_call arguments: (argument_list . [(simple_symbol) (string)] @name) (#any-of? @_call "define_method" "define_singleton_method")) @method
(call method: (identifier) @_call arguments: (argument_list . [(string) (constant)] @name) block: [(do_block) (block)] @body (#any-of? @_call "describe" "context" "it" "specify" "test" "feature" "scenario")) @test
