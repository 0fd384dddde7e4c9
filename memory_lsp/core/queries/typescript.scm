(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(function_signature name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(interface_declaration name: (type_identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(type_alias_declaration name: (type_identifier) @name) @type
(internal_module name: [(identifier) (nested_identifier) (string)] @name) @module
(module name: [(identifier) (nested_identifier) (string)] @name) @module
(class_body (method_definition name: [(property_identifier) (private_property_identifier) (string) (number)] @name) @method)
(class_body (method_signature name: [(property_identifier) (private_property_identifier) (string)] @name) @method)
(class_body (abstract_method_signature name: [(property_identifier) (string)] @name) @method)
(class_body (public_field_definition name: [(property_identifier) (private_property_identifier) (string)] @name) @field)
(interface_body (property_signature name: [(property_identifier) (string)] @name) @field)
(interface_body (method_signature name: [(property_identifier) (string)] @name) @method)
(type_alias_declaration value: [(object_type (property_signature name: [(property_identifier) (string)] @name) @field) (parenthesized_type (object_type (property_signature name: [(property_identifier) (string)] @name) @field))])
(type_alias_declaration value: [(object_type (method_signature name: [(property_identifier) (string)] @name) @method) (parenthesized_type (object_type (method_signature name: [(property_identifier) (string)] @name) @method))])
(enum_body name: [(property_identifier) (string)] @name @variant)
(enum_body (enum_assignment name: [(property_identifier) (string)] @name) @variant)
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function) (parenthesized_expression [(arrow_function) (function_expression)])]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @constant)))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(internal_module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(variable_declarator value: (object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @function))
(variable_declarator value: (object (method_definition name: (property_identifier) @name) @method))
(call_expression function: (identifier) @_call arguments: (arguments . (string) @name . [(arrow_function) (function_expression)]) (#any-of? @_call "describe" "it" "test" "suite" "context")) @test
