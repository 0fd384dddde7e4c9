(function_definition) @function
(declaration declarator: [(identifier) (init_declarator) (pointer_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @name) @constant
(field_declaration declarator: [(field_identifier) (pointer_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @name) @field
(type_definition declarator: [(type_identifier) (pointer_declarator) (array_declarator) (function_declarator) (parenthesized_declarator)] @name) @type
(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @struct
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @union
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @enum
(enumerator name: (identifier) @name) @variant
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
