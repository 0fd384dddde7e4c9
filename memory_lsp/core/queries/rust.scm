(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @union
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @variant
(field_declaration name: (field_identifier) @name) @field
(trait_item name: (type_identifier) @name) @trait
(impl_item type: [(type_identifier) @name (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)]) (scoped_type_identifier name: (type_identifier) @name) (reference_type type: (type_identifier) @name) (primitive_type) @name]) @scope
(mod_item name: (identifier) @name body: (declaration_list)) @module
(macro_definition name: (identifier) @name) @macro
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(type_item name: (type_identifier) @name type: (_) @body) @type
(associated_type name: (type_identifier) @name) @type
