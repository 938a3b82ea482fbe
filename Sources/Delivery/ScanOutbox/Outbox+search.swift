internal import GRDB
internal import ScanEvents

/// The full-text index of texts, operators and locations.
///
/// FTS5 with its trigram tokenizer: a phrase matches any part of a text, ignoring case. The index has no copy of
/// the texts. Personal data never enters it, so a message removed from its row exists nowhere else.
extension Outbox {
    /// The number of characters in a term of the index.
    private static let termCharacters = 3
    /// The maximum number of terms with a short text as prefix; with more, the texts themselves are searched.
    private static let mostTerms = 1000
    /// The indexed length of a text, in characters.
    static let indexedCharacters = 1024

    static func registerSearch(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("4", foreignKeyChecks: .immediate) { database in
            let text = { (row: String) in "substr(CAST(\(row)text AS TEXT), 1, \(indexedCharacters))" }
            try database.execute(
                sql: """
                    ALTER TABLE event ADD COLUMN operator TEXT;
                    ALTER TABLE event ADD COLUMN place TEXT;
                    CREATE INDEX event_operator ON event (operator, time) WHERE operator IS NOT NULL;
                    CREATE INDEX event_place ON event (place, time) WHERE place IS NOT NULL;

                    CREATE VIRTUAL TABLE event_search USING fts5 (
                        text, content = '', columnsize = 0, tokenize = 'trigram');
                    INSERT INTO event_search (rowid, text) SELECT number, \(text("")) FROM event WHERE personal = 0;
                    CREATE TRIGGER event_search_insert AFTER INSERT ON event WHEN new.personal = 0 BEGIN
                        INSERT INTO event_search (rowid, text) VALUES (new.number, \(text("new.")));
                    END;
                    CREATE TRIGGER event_search_delete AFTER DELETE ON event WHEN old.personal = 0 BEGIN
                        INSERT INTO event_search (event_search, rowid, text)
                        VALUES ('delete', old.number, \(text("old.")));
                    END;
                    -- An event of an older outbox that nobody had looked at, and one that is not personal after all.
                    CREATE TRIGGER event_search_looked AFTER UPDATE OF personal ON event
                    WHEN old.personal <> 0 AND new.personal = 0 BEGIN
                        INSERT INTO event_search (rowid, text) VALUES (new.number, \(text("new.")));
                    END;
                    """)
        }
    }

    /// Adds operator, location and symbology to the index, each as one term, and lets a term begin at every
    /// character of a text.
    ///
    /// A frequent part of a text by a rare operator is then found by two terms at once, without a look at each
    /// event that has the part. A text of one or two letters is the prefix of a few terms.
    static func registerFacets(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("5", foreignKeyChecks: .immediate) { database in
            let columns = "rowid, text, operator, place, format"
            let values = { (row: String) in
                """
                \(row)number, substr(CAST(\(row)text AS TEXT), 1, \(indexedCharacters)) || char(\(end), \(end)), \
                \(term(of: "\(row)operator")), \(term(of: "\(row)place")), \(term(of: "\(row)format"))
                """
            }
            try database.execute(
                sql: """
                    DROP TRIGGER event_search_insert;
                    DROP TRIGGER event_search_delete;
                    DROP TRIGGER event_search_looked;
                    DROP TABLE event_search;
                    CREATE VIRTUAL TABLE event_search USING fts5 (
                        text, operator, place, format, content = '', columnsize = 0, tokenize = 'trigram');
                    INSERT INTO event_search (\(columns)) SELECT \(values("event.")) FROM event WHERE personal = 0;
                    CREATE TRIGGER event_search_insert AFTER INSERT ON event WHEN new.personal = 0 BEGIN
                        INSERT INTO event_search (\(columns)) VALUES (\(values("new.")));
                    END;
                    CREATE TRIGGER event_search_delete AFTER DELETE ON event WHEN old.personal = 0 BEGIN
                        INSERT INTO event_search (event_search, \(columns)) VALUES ('delete', \(values("old.")));
                    END;
                    CREATE TRIGGER event_search_looked AFTER UPDATE OF personal ON event
                    WHEN old.personal <> 0 AND new.personal = 0 BEGIN
                        INSERT INTO event_search (\(columns)) VALUES (\(values("new.")));
                    END;
                    -- The terms themselves; it has no rows of its own.
                    CREATE VIRTUAL TABLE event_terms USING fts5vocab (event_search, instance);
                    CREATE INDEX event_reader ON event (operator, place, time)
                        WHERE operator IS NOT NULL AND place IS NOT NULL;
                    """)
        }
    }

    /// The end mark of a text in the index, written twice: a private-use character that no code contains.
    private static let end = 0x10_FFFD

    /// SQL for the single term that represents a name: three characters, of which the last two are a hash.
    ///
    /// The hash covers the length and the first and last characters, which takes SQLite a microsecond. Names can
    /// collide, so a query also compares the names themselves. The hash must never change, because a deletion from
    /// the index repeats the terms.
    static func term(of name: String) -> String {
        let places = Array(1...4) + Array(-8 ... -1)
        var factor = 1
        let parts = places.map { place in
            factor = factor * 31 % 268_435_399
            return "coalesce(unicode(substr(\(name), \(place), 1)), 0) * \(factor)"
        }
        let hash = "(coalesce(length(\(name)), 0) + \(parts.joined(separator: " + "))) % 268435399"
        return "char(0xE000, 0x4E00 + ((\(hash)) >> 14), 0x4E00 + ((\(hash)) & 16383))"
    }

    /// The index query for a part of a text and the other columns; `nil` if the index cannot find it.
    static func match(
        _ text: String, and facets: [(column: String, value: String)], in database: Database
    ) throws -> String? {
        guard var match = try phrases(of: text, in: database).map({ "text : (\($0))" }) else { return nil }
        for (column, value) in facets {
            let term = try String.fetchOne(database, sql: "SELECT " + term(of: ":value"), arguments: ["value": value])
            if let term { match += " AND \(column) : \(term.inQuotationMarks)" }
        }
        return match
    }

    /// A part of a text as alternative phrases of the index; `nil` if the index cannot find it.
    private static func phrases(of text: String, in database: Database) throws -> String? {
        // The index ends texts and queries at a NUL.
        let count = text.unicodeScalars.count
        guard count > 0, count <= indexedCharacters, !text.utf8.contains(0) else { return nil }
        if count >= termCharacters { return text.inQuotationMarks }
        let folded = text.unicodeScalars.map { scalar in
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower[lower.startIndex] : scalar
        }
        guard let last = folded.last, let next = last.next else { return nil }
        func joined(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }
        // Go from term to term, skipping the positions of each.
        let terms = try String.fetchAll(
            database,
            sql: """
                WITH RECURSIVE found(term) AS (
                    SELECT (SELECT term FROM event_terms WHERE term >= :first AND term < :end LIMIT 1) UNION ALL
                    SELECT (SELECT term FROM event_terms WHERE term >= found.term || char(1) AND term < :end LIMIT 1)
                    FROM found WHERE found.term IS NOT NULL LIMIT :limit)
                SELECT term FROM found WHERE term IS NOT NULL
                """,
            arguments: [
                "first": joined(folded), "end": joined(folded.dropLast() + [next]), "limit": mostTerms + 2,
            ])
        if terms.isEmpty { return "".inQuotationMarks }
        return terms.count > mostTerms ? nil : terms.map(\.inQuotationMarks).joined(separator: " OR ")
    }
}

extension Unicode.Scalar {
    /// The next scalar; `nil` after the last one.
    fileprivate var next: Unicode.Scalar? {
        self == "\u{D7FF}" ? "\u{E000}" : Unicode.Scalar(value + 1)
    }
}
