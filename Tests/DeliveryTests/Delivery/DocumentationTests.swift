import Delivery
import TestSupport
import Testing

/// The documentation of destinations is generated from the table of their kinds.
@Suite struct DocumentationTests {
    @Test func keysOfDestinations() throws {
        let kinds = DestinationKind.all
        let types = kinds.map { "`\($0.name)` \($0.summary)" }.joined(separator: "; ")
        var rows = [["`type`", "any", "", types]]
        var keys: [(key: DestinationKey, of: [String])] = []
        for kind in kinds {
            for key in kind.keys {
                if let index = keys.firstIndex(where: { $0.key == key }) {
                    keys[index].of.append("`\(kind.name)`")
                } else {
                    keys.append((key, ["`\(kind.name)`"]))
                }
            }
        }
        rows += (keys + DestinationKey.common.filter { $0.name != "type" }.map { ($0, ["any"]) }).map {
            ["`\($0.key.name)`", $0.of.joined(separator: ", "), $0.key.fallback, $0.key.meaning]
        }
        let text = GeneratedText.table(["key", "type", "default", "meaning"], rows)
        #expect(try GeneratedText.part("destinations", of: "docs/reference/delivery.md", madeAs: text) == text)
    }

    /// The table describes every kind exactly once.
    @Test func kindsAreTold() {
        let kinds = DestinationKind.all
        #expect(Set(kinds.map(\.name)).count == kinds.count)
        for kind in kinds {
            #expect(!kind.summary.isEmpty, "\(kind.name)")
            #expect(!kind.keys.contains { key in DestinationKey.common.contains { $0.name == key.name } })
        }
    }
}
