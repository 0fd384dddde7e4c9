(function_definition) @function
(declaration declarator: [(identifier) (qualified_identifier) (init_declarator) (pointer_declarator) (reference_declarator) (array_declarator) (function_declarator) (parenthesized_declarator) (operator_cast)] @name) @constant
; `int (*f)(T) = g;`, which the grammar takes for a call where it knows no type of that name.
(expression_statement (assignment_expression left: (call_expression function: (call_expression arguments: (argument_list . (pointer_expression argument: (identifier) @name) .))) right: (_) @body)) @constant
(expression_statement (call_expression function: (call_expression arguments: (argument_list . (pointer_expression argument: (identifier) @name) .)))) @constant
(field_declaration declarator: [(field_identifier) (pointer_declarator) (reference_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @name) @field
(type_definition declarator: [(type_identifier) (pointer_declarator) (reference_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @name) @type
(class_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (field_declaration_list) @body) @class
(struct_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (field_declaration_list) @body) @struct
(union_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (field_declaration_list) @body) @union
(enum_specifier name: [(type_identifier) (qualified_identifier)] @name body: (enumerator_list) @body) @enum
(enumerator name: (identifier) @name) @variant
(namespace_definition name: [(namespace_identifier) (nested_namespace_specifier)] @name body: (declaration_list) @body) @module
(alias_declaration name: (type_identifier) @name type: (type_descriptor) @body) @type
(concept_definition name: (identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
