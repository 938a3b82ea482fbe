internal import FoundationEssentials

/// A field of one of the objects in an event's JSON: its encoding, decoding and description.
struct EventField<Object: Sendable>: Sendable {
    /// A column of a table of events.
    struct Column: Sendable {
        var name: String
        var text: @Sendable (Object) -> String
    }

    let description: FieldDescription
    let columns: [Column]
    /// The key with its quotation marks and its colon.
    let writtenKey: [UInt8]
    /// Writes the key and the value, or nothing if there is no value.
    let write: @Sendable (Object, inout JSONBytes) throws -> Void
    let encode: @Sendable (Object, inout KeyedEncodingContainer<FieldKey>) throws -> Void
    let decode: @Sendable (inout Object, KeyedDecodingContainer<FieldKey>) throws -> Void

    /// Creates a required field.
    ///
    /// - Parameters:
    ///   - meaning: the meaning of the field, in Markdown.
    ///   - pattern: the regular expression that all its texts match; `nil` for none.
    ///   - column: its column name in a table of events; `nil` for no column.
    init<Value: EventValue>(
        _ name: String, _ path: any WritableKeyPath<Object, Value> & Sendable, _ meaning: String = "",
        pattern: String? = nil, column: String? = nil
    ) {
        let key = FieldKey(name)
        let writtenKey = Array("\"\(name)\":".utf8)
        self.writtenKey = writtenKey
        description = FieldDescription(name, Value.shape, isRequired: true, meaning, pattern: pattern, column: column)
        columns =
            Value.columns.map { inner in Column(name: inner.name) { inner.text($0[keyPath: path]) } }
            + (column.map { [Column(name: $0) { $0[keyPath: path].cell }] } ?? [])
        write = { object, json in
            json.key(writtenKey)
            try object[keyPath: path].write(to: &json)
        }
        encode = { object, container in try container.encode(object[keyPath: path].coded, forKey: key) }
        decode = { object, container in object[keyPath: path] = try Value(from: container, key) }
    }

    /// Creates an optional field.
    init<Value: EventValue>(
        _ name: String, optional path: any WritableKeyPath<Object, Value?> & Sendable, _ meaning: String = "",
        pattern: String? = nil, column: String? = nil
    ) {
        let key = FieldKey(name)
        let writtenKey = Array("\"\(name)\":".utf8)
        self.writtenKey = writtenKey
        description = FieldDescription(name, Value.shape, isRequired: false, meaning, pattern: pattern, column: column)
        columns =
            Value.columns.map { inner in Column(name: inner.name) { $0[keyPath: path].map(inner.text) ?? "" } }
            + (column.map { [Column(name: $0) { $0[keyPath: path]?.cell ?? "" }] } ?? [])
        write = { object, json in
            guard let value = object[keyPath: path] else { return }
            json.key(writtenKey)
            try value.write(to: &json)
        }
        encode = { object, container in try container.encodeIfPresent(object[keyPath: path]?.coded, forKey: key) }
        decode = { object, container in
            let isThere = try container.contains(key) && !container.decodeNil(forKey: key)
            object[keyPath: path] = isThere ? try Value(from: container, key) : nil
        }
    }

    /// Creates a field with the same number in every object.
    ///
    /// Decoding another number fails.
    init(_ name: String, constant: Int, _ meaning: String) {
        let key = FieldKey(name)
        let writtenKey = Array("\"\(name)\":".utf8)
        self.writtenKey = writtenKey
        description = FieldDescription(
            name, ValueShape(words: "integer", schema: [("const", .integer(constant))]), isRequired: true, meaning)
        columns = []
        write = { _, json in
            json.key(writtenKey)
            json.integer(constant)
        }
        encode = { _, container in try container.encode(constant, forKey: key) }
        decode = { _, container in
            let number = try container.decode(Int.self, forKey: key)
            guard number == constant else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "the \(name) is \(number); this program reads \(constant)")
            }
        }
    }
}

/// The fields of an object, in the order of the documentation and in the order of the JSON.
struct EventFields<Object: Sendable>: Sendable {
    let all: [EventField<Object>]
    /// The fields sorted by name, as in the JSON.
    let sorted: [EventField<Object>]

    init(_ fields: [EventField<Object>]) {
        all = fields
        sorted = fields.sorted { $0.description.name < $1.description.name }
    }
}

/// The name of a field.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
