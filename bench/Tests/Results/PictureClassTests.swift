import Testing

@testable import bench

@Suite("Classes of pictures")
struct PictureClassTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var set: String
        var group: String
        var name: String
        var testDescription: String { "\(set), \(group)" }
    }

    static let cases = [
        Case(set: "corpus/boofcv", group: "glare", name: "BoofCV: QR photos up to 12 MP"),
        Case(set: "corpus/jsqr", group: "qr", name: "jsQR: QR photos and renderings"),
        Case(set: "corpus/photos", group: "shelf", name: "photos, mostly of EAN and UPC"),
        Case(set: "corpus/zxing", group: "qrcode", name: "zxing-cpp: QR"),
        Case(set: "corpus/zxing", group: "ean13-extension", name: "zxing-cpp: linear"),
        Case(set: "corpus/zxing", group: "rssexpandedstacked", name: "zxing-cpp: linear"),
        Case(set: "corpus/zxing", group: "falsepositives", name: "zxing-cpp: no code"),
        Case(set: "corpus/zxing", group: "microqrcode", name: "zxing-cpp: 2D and rare"),
        Case(set: "corpus/zxing", group: "telepen", name: "zxing-cpp: 2D and rare"),
        Case(set: "samples", group: "qr_code", name: "Samples: QR"),
        Case(set: "samples", group: "code_128", name: "Samples: linear"),
        Case(set: "samples", group: "none", name: "Samples: no code"),
        Case(set: "samples", group: "data_matrix", name: "Samples: 2D and rare"),
        Case(set: "my/pictures", group: "all", name: "my/pictures"),
    ]

    @Test("the class of a picture", arguments: cases)
    func name(_ item: Case) {
        #expect(PictureClass.of(set: item.set, group: item.group) == item.name)
    }
}
