import BarcodeCore
import Testing

/// The table of symbologies and values derived from it.
@Suite struct SymbologyTraitsTests {
    @Test func namesAreUnique() {
        let rows = SymbologyTraits.all
        #expect(Set(rows.map(\.symbology)).count == rows.count)
        #expect(Set(rows.map(\.title)).count == rows.count)
        #expect(Set(rows.map(\.zbarName)).count == rows.count)
    }

    @Test func listsAreMadeFromTheTable() {
        #expect(Symbology.all == SymbologyTraits.all.map(\.symbology))
        // The standard symbologies have no rivals, and textures are not mistaken for them.
        #expect(Symbology.standard.isSuperset(of: [.qrCode, .ean13, .code128, .itf, .code39, .dataMatrix, .pdf417]))
        #expect(Symbology.standard.isDisjoint(with: [.ean2, .ean5, .isbn13, .code39Checked, .pharmacode, .postnet]))
        #expect(Symbology.retail == [.ean13, .ean8, .upcA, .upcE, .isbn10, .isbn13])
    }

    private static func reading(
        _ symbology: Symbology, addOn: [UInt8]? = nil, isGS1: Bool = false, isAIM: Bool = false
    ) -> Reading {
        let point = Point(x: 0, y: 0)
        return Reading(
            symbology: symbology, bytes: [0x31],
            corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point),
            addOn: addOn, isGS1: isGS1, isAIM: isAIM)
    }

    @Test(arguments: [
        (reading(.ean13), "]E0"), (reading(.upcE, addOn: [0x31]), "]E3"), (reading(.ean8), "]E4"),
        (reading(.ean2), "]E1"), (reading(.ean5), "]E2"), (reading(.code128), "]C0"),
        (reading(.code128, isGS1: true), "]C1"), (reading(.code128, isAIM: true), "]C2"), (reading(.code93), "]G0"),
        (reading(.code39), "]A0"), (reading(.codabar), "]F0"), (reading(.itf), "]I0"), (reading(.dataBar), "]e0"),
        (reading(.microPDF417), "]L2"), (reading(.microPDF417, isGS1: true), "]L3"),
        (reading(.microPDF417, isAIM: true), "]L4"),
        (reading(.microQRCode), "]Q1"), (reading(.rectangularMicroQRCode, isGS1: true), "]Q3"),
        (reading(.qrCode), "]Q1"), (reading(.qrCode, isGS1: true), "]Q3"), (reading(.qrCode, isAIM: true), "]Q5"),
        (reading(.aztec), "]z0"), (reading(.aztec, isGS1: true), "]z1"), (reading(.aztec, isAIM: true), "]z2"),
        (reading(.hanXin), "]h0"), (reading(.dotCode), "]J0"), (reading(.dotCode, isGS1: true), "]J1"),
        (reading(.sqCode), "]X0"), (reading(Symbology(rawValue: "dots")), "]X0"),
    ])
    func identifier(_ reading: Reading, _ identifier: String) {
        #expect(reading.symbology.traits.symbologyIdentifier(reading) == identifier)
    }

    @Test func rowFromOutside() {
        let row = SymbologyTraits(
            Symbology(rawValue: "dots"), title: "Dots", family: .matrix, check: .errorCorrection
        ) { $0.isGS1 ? "]J1" : "]J0" }
        #expect(row.zbarName == "dots" && row.weChatName == "DOTS" && row.webName == nil && row.isStandard)
        #expect(row.symbologyIdentifier(Self.reading(row.symbology, isGS1: true)) == "]J1")
    }

    @Test func unknownSymbologyHasItsName() {
        let traits = Symbology(rawValue: "dots").traits
        #expect(traits.title == "dots" && !traits.isStandard && !Symbology.all.contains(traits.symbology))
    }
}
