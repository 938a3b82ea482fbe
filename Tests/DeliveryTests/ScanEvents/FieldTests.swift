import FoundationEssentials
import TestSupport
import Testing

@testable import ScanEvents

/// The list of an event's fields, and its derivatives.
@Suite struct FieldTests {
    /// A property without a field would get lost in the outbox.
    @Test func everyPropertyHasAField() throws {
        // Schema 1 has shorter names for these two.
        let shorter = ["symbology": "format", "symbologyIdentifier": "identifier"]
        func names(_ value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap(\.label).map { shorter[$0] ?? $0 })
        }
        func fields<Object: EventObject>(_ object: Object) -> Set<String> {
            Set(Object.fields.all.map(\.description.name))
        }
        let event = EventTests.full
        #expect(fields(event) == names(event).union(["schema"]))
        #expect(fields(event.source) == names(event.source))
        #expect(fields(event.symbol) == names(event.symbol))
        let image = try #require(event.symbol.image)
        #expect(fields(image) == names(image))
        let evidence = try #require(event.evidence)
        #expect(fields(evidence) == names(evidence))
        #expect(fields(CountedLines.blank) == names(CountedLines.blank))
        let component = ScannedComponent.blank
        #expect(fields(component) == Set(names(component).map { $0 == "kind" ? "format" : $0 }))
    }

    @Test func everyFieldIsExplained() {
        func check(_ fields: [FieldDescription], below path: String) {
            for field in fields {
                #expect(
                    !field.meaning.isEmpty || (field.isRequired && !field.shape.fields.isEmpty), "\(path)\(field.name)")
                check(field.shape.fields, below: "\(path)\(field.name).")
            }
        }
        check(ScanEvent.fieldDescriptions, below: "")
    }

    @Test func columns() {
        #expect(
            ScanEvent.columnNames == [
                "time", "id", "station", "source", "name", "format", "text", "bytes_base64", "operator", "place",
            ])
        var event = EventTests.full
        #expect(
            event.cells(["id", "name", "bytes_base64"])
                == ["01a1fde6-17d6-700b-8ba2-56c9b12374ab", "/dev/video0", "YQAiw6n/"])
        event.source.name = nil
        #expect(event.cells(["name", "format"]) == ["", "qr_code"])
    }

    @Test func theSchemaIsThatOfTheFields() throws {
        let text = ScanEvent.jsonSchema.printed(indent: 2) + "\n"
        #expect(try GeneratedText.file("docs/reference/scan-event.schema.json", madeAs: text) == text)
        let schema = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(
            schema.value(at: ["properties", "symbol", "required"])
                == .array(["format", "text", "bytes"].map { .string($0) }))
        #expect(schema.value(at: ["properties", "evidence", "properties", "uri", "type"]) == .string("string"))
    }

    @Test func theTableOfTheDocumentation() throws {
        func rows(_ fields: [FieldDescription], below path: String) -> [[String]] {
            fields.flatMap { field in
                let absent = field.isRequired ? "" : ", optional"
                let own =
                    field.meaning.isEmpty
                    ? [] : [["`\(path)\(field.name)`", field.shape.words + absent, field.meaning]]
                return own + rows(field.shape.fields, below: "\(path)\(field.name).")
            }
        }
        let text = GeneratedText.table(["field", "type", "meaning"], rows(ScanEvent.fieldDescriptions, below: ""))
        #expect(try GeneratedText.part("event", of: "docs/reference/events.md", madeAs: text) == text)
    }
}
