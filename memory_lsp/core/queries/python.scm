(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(module (assignment left: (identifier) @name) @constant)
(module (assignment left: (pattern_list (identifier) @name)) @constant)
(module (assignment left: (tuple_pattern (identifier) @name)) @constant)
(module (if_statement (block (assignment left: (identifier) @name) @constant)))
(module (if_statement (else_clause (block (assignment left: (identifier) @name) @constant))))
(module (try_statement (block (assignment left: (identifier) @name) @constant)))
(module (try_statement (except_clause (block (assignment left: (identifier) @name) @constant))))
(module (if_statement (elif_clause (block (assignment left: (identifier) @name) @constant))))
(module (try_statement (else_clause (block (assignment left: (identifier) @name) @constant))))
(module (try_statement (finally_clause (block (assignment left: (identifier) @name) @constant))))
(module (with_statement body: (block (assignment left: (identifier) @name) @constant)))
(class_definition body: (block (assignment left: (identifier) @name) @field))
(class_definition body: (block (if_statement (block (assignment left: (identifier) @name) @field))))
(class_definition body: (block (if_statement (else_clause (block (assignment left: (identifier) @name) @field)))))
(class_definition body: (block (assignment left: (pattern_list (identifier) @name)) @field))
(assignment left: (identifier) @name right: (lambda)) @function
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type (identifier) @name))) @type
