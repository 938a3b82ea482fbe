import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("DX film edge")
struct FilmEdgeTests {
    /// Returns the data track and the clock track.
    static func tracks(product: Int, generation: Int, frame: Int?, isHalf: Bool = false) -> [[Bool]] {
        func bits(_ value: Int, _ count: Int) -> [Bool] { (0..<count).map { value >> (count - 1 - $0) & 1 == 1 } }
        let data =
            [false] + bits(product, 7) + [false] + bits(generation, 4)
            + (frame.map { bits($0, 6) + [isHalf, false] } ?? [])
        let parity = data.count { $0 } % 2 == 1
        let length = data.count + 10
        let clock = (0..<length).map { $0 < 5 || $0 >= length - 3 || $0 % 2 == 0 }
        return [[true, false, true, false, true] + data + [parity, false, true, false, true], clock]
    }

    static func texts(_ tracks: [[Bool]], module: Double = 3, degrees: Double = 0) throws -> [String] {
        let picture = PDF417Tests.picture(
            PDF417Tests.Drawing(name: "film", rows: tracks, bytes: []), module: module, degrees: degrees)
        return try BarcodeDecoder().decode(picture, options: DecodeOptions(symbologies: [.filmEdge])).map(\.text)
    }

    static let cases: [(product: Int, generation: Int, frame: Int?, isHalf: Bool, text: String)] = [
        (36, 2, 20, true, "36-2/20A"), (36, 2, 21, false, "36-2/21"), (115, 10, 0, false, "115-10/0"),
        (127, 15, 63, true, "127-15/63A"), (1, 0, nil, false, "1-0"), (82, 5, nil, false, "82-5"),
    ]

    @Test("Product, generation and frame are read at every quarter turn", arguments: cases.indices, [2.2, 5])
    func reads(index: Int, module: Double) throws {
        let item = Self.cases[index]
        let tracks = Self.tracks(
            product: item.product, generation: item.generation, frame: item.frame, isHalf: item.isHalf)
        for degrees in [0.0, 90, 180, 270, 2, -2] {
            #expect(try Self.texts(tracks, module: module, degrees: degrees) == [item.text], "\(degrees) degrees")
        }
    }

    @Test("The corners include both tracks, and show the direction of the film", arguments: [0.0, 90, 180, 270])
    func corners(degrees: Double) throws {
        let tracks = Self.tracks(product: 36, generation: 2, frame: 20)
        let picture = PDF417Tests.picture(
            PDF417Tests.Drawing(name: "film", rows: tracks, bytes: []), module: 4, degrees: degrees)
        let symbol = try #require(
            try BarcodeDecoder().decode(picture, options: DecodeOptions(symbologies: [.filmEdge])).first)
        let turn = (symbol.orientation ?? 0) - degrees
        #expect(abs(turn - 360 * (turn / 360).rounded()) < 3)
        let (box, center) = (symbol.corners.boundingBox, symbol.corners.center)
        #expect(abs(max(box.width, box.height) - 31 * 4) < 6)
        let side = Double(picture.width)
        #expect(abs(center.x - side / 2) < 10 && abs(center.y - side / 2) < 10)
    }

    @Test(
        "Tracks two modules high are read, and lower ones, as text and specks on other bars have, are not",
        arguments: [(1, 3), (1.25, 3), (2, 3), (2, 2), (2, 1.25), (2, 0.5)] as [(data: Double, clock: Double)])
    func thinTracks(height: (data: Double, clock: Double)) throws {
        let tracks = Self.tracks(product: 36, generation: 2, frame: 20)
        let (module, margin) = (4, 16)
        let (data, clock) = (Int(height.data * Double(module)), Int(height.clock * Double(module)))
        let width = 31 * module + 2 * margin
        let picture = LumaImage(width: width, height: data + clock + 2 * margin) { pixels in
            for index in pixels.indices {
                let (x, y) = (index % width - margin, index / width - margin)
                let track = y < data ? tracks[0] : tracks[1]
                let isInside = (0..<31 * module).contains(x) && (0..<data + clock).contains(y)
                pixels[index] = isInside && track[x / module] ? 20 : 230
            }
        }
        let texts = try BarcodeDecoder().decode(picture, options: DecodeOptions(symbologies: [.filmEdge])).map(\.text)
        #expect(texts == (min(height.data, height.clock) < 2 ? [] : ["36-2/20"]))
    }

    @Test("A clock track without data, data without a clock track and a wrong bit are not read")
    func broken() throws {
        let whole = Self.tracks(product: 36, generation: 2, frame: 20)
        #expect(try Self.texts([whole[1], whole[1]]).isEmpty)
        #expect(try Self.texts([whole[0], whole[0]]).isEmpty)
        for place in whole[0].indices {
            var data = whole[0]
            data[place].toggle()
            #expect(try Self.texts([data, whole[1]]).isEmpty, "module \(place)")
        }
    }
}
