/// The result of a check of a message's signature.
public struct SignatureCheck: Sendable, Hashable {
    /// The outcome of a check; more may be added.
    public struct State: RawRepresentable, Sendable, Hashable {
        /// A short name in lower case.
        public let rawValue: String

        /// Creates an outcome from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// One of the keys confirms the signature.
        public static let valid = State(rawValue: "valid")
        /// No key confirms the signature: the message was changed, or its signer's key was not given.
        public static let notConfirmed = State(rawValue: "not_confirmed")
    }

    /// The outcome.
    public var state: State
    /// The name of the key that confirms the signature; `nil` if none does.
    public var signedBy: String?

    /// Creates a result.
    public init(_ state: State, signedBy: String? = nil) {
        self.state = state
        self.signedBy = signedBy
    }
}

extension SymbolContent {
    /// Checks the signature of a message; `nil` for a message of a format without one.
    public static func checkSignature(of message: ContentMessage, keys: SigningKeys) -> SignatureCheck? {
        ContentForm.match(message)?.form.checkSignature(of: message, keys)
    }

    /// Returns the content with the result of a check as fields: `signature`, and if it is valid, `signed_by`.
    public func adding(_ check: SignatureCheck?) -> SymbolContent {
        guard let check else { return self }
        var content = self
        content.fields.append(Field("signature", check.state.rawValue, label: "Signature"))
        if let signer = check.signedBy { content.fields.append(Field("signed_by", signer, label: "Signed by")) }
        return content
    }
}

extension ContentForm {
    /// Checks the signature of a message of this format; `nil` if the format has none.
    func checkSignature(of message: ContentMessage, _ keys: SigningKeys) -> SignatureCheck? {
        guard let signature else { return nil }
        let signer = signature(message).flatMap(keys.signer)
        return SignatureCheck(signer == nil ? .notConfirmed : .valid, signedBy: signer)
    }
}
