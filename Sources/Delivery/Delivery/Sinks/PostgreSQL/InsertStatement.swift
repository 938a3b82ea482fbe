internal import ScanEvents

/// The statement that inserts a row into a user's table for each event, and the values bound to it.
struct InsertStatement: Sendable {
    /// A column and the template of its value.
    struct Column: Sendable {
        var name: String
        var value: TextTemplate
    }

    /// The maximum number of columns in the statement; the table may have more.
    private static let maximumColumns = 200

    let table: [String]
    let columns: [Column]
    /// The column for the event's identifier, by which duplicates are recognized.
    let identifier: String

    /// Creates a statement for a table such as `stock.scans` and columns such as `code={{symbol.text}}`.
    ///
    /// - Throws: ``Fault`` with a clause and the key that it is about.
    init(table: String, columns texts: [String]) throws(Fault) {
        self.table = table.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(self.table.count), self.table.allSatisfy(Self.isName) else {
            throw Fault(key: "table", problem: "\"\(table)\" is not the name of a table, such as scans or stock.scans")
        }
        var columns: [Column] = []
        for text in texts {
            let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, Self.isName(halves[0]) else {
                throw Fault(key: "columns", problem: "\"\(text)\" is not COLUMN=VALUE, such as code={{symbol.text}}")
            }
            do throws(SyntaxError) {
                columns.append(Column(name: halves[0], value: try TextTemplate(halves[1])))
            } catch {
                throw Fault(key: "columns", problem: error.description)
            }
        }
        guard columns.count <= Self.maximumColumns else {
            throw Fault(key: "columns", problem: "has more than \(Self.maximumColumns) columns")
        }
        guard let identifier = columns.first(where: { $0.value.paths == ["id"] && $0.value.literals.isEmpty }) else {
            throw Fault(
                key: "columns",
                problem: "has no column for the event's ID, which identifies repetitions; add one, such as id={{id}}")
        }
        self.columns = columns
        self.identifier = identifier.name
    }

    /// A problem with a configuration key.
    struct Fault: Error {
        var key: String
        var problem: String
    }

    /// The statement, with a numbered placeholder for each value.
    var text: String {
        let names = columns.map(\.name.inQuotationMarks).joined(separator: ", ")
        let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(table.map(\.inQuotationMarks).joined(separator: ".")) (\(names)) VALUES (\(values)) "
            + "ON CONFLICT (\(identifier.inQuotationMarks)) DO NOTHING"
    }

    /// The values for an event, in the order of the columns; `nil` for a column whose fields the event lacks.
    func values(for event: ScanEvent) -> [String?] { columns.map { $0.value.text(for: event, takesEmpty: true) } }

    /// The statement that adds the constraint needed to recognize duplicates.
    var remedy: String {
        "ALTER TABLE \(table.map(\.inQuotationMarks).joined(separator: ".")) ADD UNIQUE (\(identifier.inQuotationMarks))"
    }

    private static func isName(_ name: String) -> Bool { !name.isEmpty && name.utf8.count < 64 && !name.contains("\0") }
}
