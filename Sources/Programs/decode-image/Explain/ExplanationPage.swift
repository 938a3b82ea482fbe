import BarcodeCore
import Symbols

/// Builds the web page of `--explain`: a section for each search pass, with images and text.
struct ExplanationPage {
    /// A color image of the page.
    struct Picture {
        var name: String
        var image: AnnotatedPicture
    }

    /// The tag by which a page of this program is told from those of the user, which are not replaced.
    static let mark = "generator content=decode-image"
    /// The maximum length of a side in pixels; more is no clearer on a screen.
    private static let maximumSide = 900
    /// The maximum number of failed candidates to show for each pass; the others are counted.
    private static let maximumFailures = 12

    private(set) var pictures: [Picture] = []
    private let image: LumaImage
    private let name: String
    /// The image at the size of the page, and its scale relative to the original.
    private let fitted: LumaImage
    private let scale: Double

    private var sections: [String] = []
    private var title: String?
    private var notes: [String] = []
    private var items: [String] = []
    private var outlines: [AnnotatedPicture.Outline] = []
    private var twoTones: LumaImage?
    private var failures = 0
    private var summary = ""

    init(_ image: LumaImage, name: String) {
        self.image = image
        self.name = name
        (fitted, scale) = Self.fitting(image)
    }

    private static func fitting(_ image: LumaImage) -> (LumaImage, Double) {
        var (fitted, scale) = (image, 1.0)
        while max(fitted.width, fitted.height) > maximumSide {
            fitted = fitted.halved()
            scale /= 2
        }
        // An outline around only a few pixels would hide them.
        let factor = maximumSide / (2 * max(1, fitted.width, fitted.height))
        guard factor > 1 else { return (fitted, scale) }
        let (width, height) = (fitted.width * factor, fitted.height * factor)
        let pixels = (0..<width * height).map { fitted[x: $0 % width / factor, y: $0 / width / factor] }
        return (LumaImage(width: width, height: height, pixels: pixels), scale * Double(factor))
    }

    /// Adds a search event.
    mutating func add(_ event: SearchEvent) {
        switch event {
        case .pass(let what, let level, let full):
            close()
            let isOther = full != PixelSize(width: image.width, height: image.height)
            let size = level == 0 ? "at full size" : "at 1/\(1 << level) of its size"
            title =
                "\(what), \(isOther ? "in a part or a changed copy, " : "")\(size) "
                + "(\(max(1, full.width >> level)) x \(max(1, full.height >> level)))"
        case .leftOut(let what, let reason):
            close()
            sections.append("<section><h2 class=out>Skipped: \(what.markupEscaped)</h2><p>\(reason).</p></section>")
        case .twoTones(let binary): twoTones = binary
        case .finderPatterns(let places):
            outlines += places.map { AnnotatedPicture.Outline(corners: $0, label: nil, color: 1) }
        case .matrixCandidate(let corners, let wasRead, let sentence):
            place(corners, picture: StraightenedSymbol.picture(of: corners, in: image), wasRead, [sentence])
        case .bars(let corners, let strip, let wasRead, let sentences):
            place(corners, picture: strip, wasRead, sentences)
        case .note(let sentence): notes.append(sentence)
        }
    }

    private mutating func place(_ corners: Quadrilateral, picture: LumaImage?, _ wasRead: Bool, _ sentences: [String]) {
        if !wasRead {
            failures += 1
            if failures > Self.maximumFailures { return }
        }
        outlines.append(
            AnnotatedPicture.Outline(corners: corners, label: "\(items.count + 1)", color: wasRead ? 2 : 0))
        let shown = picture.map { "<td>\(add(AnnotatedPicture($0, outlines: [])))</td>" } ?? "<td></td>"
        let text = sentences.map { "<p>\($0.markupEscaped)</p>" }.joined()
        items.append(
            "<tr class=\(wasRead ? "read" : "failed")><td>\(items.count + 1)</td>\(shown)<td>\(text)</td></tr>")
    }

    /// Ends the section of a pass.
    private mutating func close() {
        let sentences = notes.map { "<p>\($0.markupEscaped)</p>" }.joined()
        notes = []
        guard let title else {
            // What is said after the last pass.
            if !sentences.isEmpty { sections.append("<section>\(sentences)</section>") }
            return
        }
        let drawn = outlines.map { outline in
            var outline = outline
            outline.corners = outline.corners.scaled(by: scale)
            return outline
        }
        var html = "<section><h2>\(title.markupEscaped)</h2>"
        html += sentences
        if let twoTones {
            html += "<figure>\(add(AnnotatedPicture(Self.fitting(twoTones).0, outlines: [])))"
            html +=
                "<figcaption>The black-and-white picture: each pixel is compared with its "
                + "surroundings.</figcaption></figure>"
        }
        if !drawn.isEmpty {
            html += "<figure>\(add(AnnotatedPicture(fitted, outlines: drawn)))"
            html +=
                "<figcaption>Blue: finder patterns. Red: candidates that were not read. Green: symbols that were read."
            html += "</figcaption></figure>"
        }
        if !items.isEmpty {
            html += "<table><tr><th>candidate<th>straightened<th>result</tr>\(items.joined())</table>"
        }
        if failures > Self.maximumFailures {
            html += "<p>\(failures - Self.maximumFailures) more candidates were not read.</p>"
        }
        sections.append(html + "</section>")
        self.title = nil
        (items, outlines, twoTones, failures) = ([], [], nil, 0)
    }

    /// Completes the page.
    mutating func finish(_ symbols: [Symbol], effort: DecodeOptions.Effort) {
        close()
        let drawn = symbols.enumerated().map { index, symbol in
            AnnotatedPicture.Outline(
                corners: symbol.corners.scaled(by: scale), label: "\(index + 1)", color: 2)
        }
        let count = symbols.count
        summary =
            count == 0
            ? "<p>No symbol was read. The sections below show how far each pass got.</p>"
            : "<p>\(count) symbol\(count == 1 ? " was" : "s were") read:</p><ol>"
                + symbols.map { "<li>\($0.symbology.rawValue): <code>\($0.text.markupEscaped)</code></li>" }.joined()
                + "</ol>"
        summary += "<figure>\(add(AnnotatedPicture(fitted, outlines: drawn)))"
        summary +=
            "<figcaption>\(image.width) x \(image.height) pixels, effort \(effort.rawValue).</figcaption></figure>"
    }

    private mutating func add(_ picture: AnnotatedPicture) -> String {
        let name = "picture-\(pictures.count + 1).png"
        pictures.append(Picture(name: name, image: picture))
        return "<img src=\"\(name)\" alt=\"\">"
    }

    /// The HTML of the page; its images are beside it.
    var html: String {
        """
        <!doctype html>
        <html lang=en><meta charset=utf-8><meta name=\(Self.mark)>
        <title>How \(name.markupEscaped) was read</title>
        <style>
        body { font: 16px/1.45 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
        section { border-top: 1px solid #ccc; margin-top: 1.5rem }
        h2 { font-size: 1.1rem } h2.out { color: #777; font-weight: normal }
        img { max-width: 100%; border: 1px solid #ddd } figure { margin: 1rem 0 } figcaption { color: #555 }
        td { padding: .3rem .8rem .3rem 0; vertical-align: top } td img { max-width: 24rem; image-rendering: pixelated }
        td p { margin: 0 0 .3rem } th { text-align: left } tr.read td { color: #064 } tr.failed td { color: #911 }
        </style>
        <h1>How \(name.markupEscaped) was read</h1>
        \(summary)
        \(sections.joined(separator: "\n"))
        </html>

        """
    }
}
