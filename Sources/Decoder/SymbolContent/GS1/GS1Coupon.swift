/// The coupon codes of North America, application identifiers 8110 and 8112.
///
/// Source: GS1 US, North American Coupon Application Guideline; the fields are checked like `couponcode` and
/// `couponposoffer` of the GS1 Barcode Syntax Dictionary.
enum GS1Coupon {
    /// Reads the fields of a coupon.
    private struct Fields {
        var rest: ArraySlice<UInt8>
        var problem: GS1Check.Problem?

        mutating func refuse(_ message: String) {
            if problem == nil { problem = GS1Check.Problem(code: .badValue, message: message) }
        }

        /// Reads a digit, which must be in `allowed`.
        mutating func digit(_ name: String, of allowed: String = "0123456789") -> Int? {
            guard problem == nil else { return nil }
            guard let digit = rest.popFirst() else {
                refuse("the \(name) is missing")
                return nil
            }
            guard allowed.utf8.contains(digit) else {
                refuse("the \(name) must not be \(UnicodeScalar(digit))")
                return nil
            }
            return Int(digit - 0x30)
        }

        /// Reads `count` digits.
        @discardableResult
        mutating func digits(_ count: Int, _ name: String) -> ArraySlice<UInt8> {
            guard problem == nil else { return [] }
            guard rest.count >= count else {
                refuse("the \(name) is cut off")
                return []
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// Reads a field that begins with a digit for its length.
        mutating func counted(_ name: String, of lengths: String, more: Int = 0) {
            if let length = digit("length of the \(name)", of: lengths) { digits(length + more, name) }
        }

        /// Skips the number of an optional field; false if the next field has another number.
        mutating func begins(_ number: Int) -> Bool {
            guard problem == nil, rest.first == UInt8(0x30 + number) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func companyPrefix(_ name: String, isOptional: Bool = false) {
            guard let length = digit("length of the \(name)", of: isOptional ? "01234569" : "0123456") else { return }
            if !(isOptional && length == 9) { digits(length + 6, name) }
        }

        mutating func purchase(_ name: String) {
            counted("\(name) purchase requirement", of: "12345")
            _ = digit("\(name) purchase requirement code", of: "012349")
            digits(3, "\(name) purchase family code")
        }

        mutating func date(_ name: String) -> [UInt8] {
            let part = digits(6, name)
            if problem == nil, let wrong = GS1Date.problem(part, hasCentury: false, allowsDayZero: false) {
                refuse("the \(name) is wrong: \(wrong.message)")
            }
            return Array(part)
        }
    }

    private static func fields(_ part: ArraySlice<UInt8>) -> Fields {
        var fields = Fields(rest: part)
        if !part.allSatisfy(GS1Characters.isDigit) {
            fields.problem = GS1Check.Problem(code: .badCharacter, message: "a coupon consists of digits")
        }
        return fields
    }

    /// Returns the error in the value of 8110; `nil` if there is none.
    static func problem(_ part: ArraySlice<UInt8>) -> GS1Check.Problem? {
        var fields = fields(part)
        fields.companyPrefix("company prefix")
        fields.digits(6, "offer code")
        fields.counted("save value", of: "12345")
        fields.purchase("first")
        if fields.begins(1) {
            _ = fields.digit("additional purchase rules code", of: "0123")
            fields.purchase("second")
            fields.companyPrefix("second company prefix", isOptional: true)
        }
        if fields.begins(2) {
            fields.purchase("third")
            fields.companyPrefix("third company prefix", isOptional: true)
        }
        var expiration: [UInt8] = []
        if fields.begins(3) { expiration = fields.date("expiration date") }
        if fields.begins(4) {
            let start = fields.date("start date")
            if !expiration.isEmpty, expiration.lexicographicallyPrecedes(start) {
                fields.refuse("the coupon expires before it starts")
            }
        }
        if fields.begins(5) { fields.counted("serial number", of: "0123456789", more: 6) }
        if fields.begins(6) { fields.counted("retailer's number", of: "1234567", more: 6) }
        if fields.begins(9) {
            _ = fields.digit("save value code", of: "01256")
            _ = fields.digit("item that the save value applies to", of: "012")
            _ = fields.digit("store coupon flag")
            _ = fields.digit("don't-multiply flag", of: "01")
        }
        if !fields.rest.isEmpty { fields.refuse("digits follow the end of the coupon") }
        return fields.problem
    }

    /// Returns the error in the value of 8112; `nil` if there is none.
    static func positiveOfferProblem(_ part: ArraySlice<UInt8>) -> GS1Check.Problem? {
        var fields = fields(part)
        _ = fields.digit("format code", of: "01")
        fields.companyPrefix("coupon funder")
        fields.digits(6, "offer code")
        fields.counted("serial number", of: "0123456789", more: 6)
        if !fields.rest.isEmpty { fields.refuse("digits follow the end of the coupon") }
        return fields.problem
    }
}
