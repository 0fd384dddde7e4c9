(class_declaration) @class
(protocol_declaration) @protocol
(function_declaration) @function
(protocol_function_declaration) @function
(init_declaration "init" @name) @method
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(property_declaration (pattern (simple_identifier) @name)) @field
(protocol_property_declaration (pattern (simple_identifier) @name)) @field
(enum_entry (simple_identifier) @name) @variant
(typealias_declaration) @type
(associatedtype_declaration) @type
(operator_declaration (custom_operator) @name) @function
