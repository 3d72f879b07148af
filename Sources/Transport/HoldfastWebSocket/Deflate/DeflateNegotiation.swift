/// Negotiates permessage-deflate during the upgrade (RFC 7692, 5 and 7.1).
package enum DeflateNegotiation {
    /// Returns the text of a client's offer.
    package static func offer(_ options: WebSocketDeflate) -> String {
        offered(options.clamped).text(isOffer: true)
    }

    /// The single offer. A server that cannot meet it does not use compression.
    private static func offered(_ options: WebSocketDeflate) -> DeflateParameters {
        var parameters = DeflateParameters()
        parameters.serverNoContextTakeover = !options.receivingContextTakeover
        parameters.clientNoContextTakeover = !options.sendingContextTakeover
        if options.receivingWindowBits < 15 { parameters.serverMaxWindowBits = options.receivingWindowBits }
        // Always sent: it allows the server to set a limit at no cost.
        parameters.clientMaxWindowBits = options.sendingWindowBits
        return parameters
    }

    /// Checks the extensions in a server's `101` response. Returns `nil` if compression is not used.
    ///
    /// - Parameter options: The offered compression; `nil` if none was offered.
    /// - Throws: The reason if the extensions do not answer the offer. The connection must then not be used (RFC 7692,
    ///   5.1 and 7.1; RFC 6455, 9.1).
    package static func accept(
        _ fieldValues: [String], offered options: WebSocketDeflate?
    ) throws(Objection) -> DeflateAgreement? {
        guard let answers = ExtensionOffer.list(fieldValues) else {
            throw Objection("its Sec-WebSocket-Extensions field is malformed")
        }
        guard let answer = answers.first else { return nil }
        guard let options, answers.count == 1, answer.name == DeflateParameters.name else {
            throw Objection("it uses an extension that the client did not offer")
        }
        guard let granted = DeflateParameters(answer.parameters, isOffer: false) else {
            throw Objection("its compression parameters are not allowed")
        }
        let wanted = offered(options.clamped)
        guard granted.serverNoContextTakeover || !wanted.serverNoContextTakeover,
            granted.serverMaxWindowBits ?? 15 <= wanted.serverMaxWindowBits ?? 15,
            granted.clientMaxWindowBits ?? 0 <= wanted.clientMaxWindowBits ?? 0
        else { throw Objection("its compression parameters do not match the offer") }

        var agreement = DeflateAgreement(options)
        agreement.sendingContextTakeover = options.sendingContextTakeover && !granted.clientNoContextTakeover
        agreement.receivingContextTakeover = !granted.serverNoContextTakeover
        agreement.sendingWindowBits = min(agreement.sendingWindowBits, granted.clientMaxWindowBits ?? 15)
        agreement.receivingWindowBits = granted.serverMaxWindowBits ?? 15
        return agreement
    }

    /// Selects the first acceptable offer of a client and returns it with the text of the response; `nil` if there is
    /// none.
    ///
    /// Offers with unknown, repeated or invalid parameters are ignored (RFC 7692, 7.1).
    package static func answer(
        _ offers: [ExtensionOffer], options: WebSocketDeflate?
    ) -> (text: String, agreement: DeflateAgreement)? {
        guard let options = options?.clamped else { return nil }
        for offer in offers where offer.name == DeflateParameters.name {
            guard let wanted = DeflateParameters(offer.parameters, isOffer: true) else { continue }
            return answer(wanted, options: options)
        }
        return nil
    }

    private static func answer(
        _ wanted: DeflateParameters, options: WebSocketDeflate
    ) -> (text: String, agreement: DeflateAgreement) {
        var agreement = DeflateAgreement(options)
        agreement.sendingContextTakeover = options.sendingContextTakeover && !wanted.serverNoContextTakeover
        agreement.receivingContextTakeover = options.receivingContextTakeover && !wanted.clientNoContextTakeover
        agreement.sendingWindowBits = min(options.sendingWindowBits, wanted.serverMaxWindowBits ?? 15)
        // Only a client that named the parameter supports it.
        agreement.receivingWindowBits = wanted.clientMaxWindowBits.map { min($0, options.receivingWindowBits) } ?? 15

        var granted = DeflateParameters()
        granted.serverNoContextTakeover = !agreement.sendingContextTakeover
        granted.clientNoContextTakeover = !agreement.receivingContextTakeover
        if wanted.serverMaxWindowBits != nil || agreement.sendingWindowBits < 15 {
            granted.serverMaxWindowBits = agreement.sendingWindowBits
        }
        if wanted.clientMaxWindowBits != nil, agreement.receivingWindowBits < 15 {
            granted.clientMaxWindowBits = agreement.receivingWindowBits
        }
        return (granted.text(isOffer: false), agreement)
    }

    /// The reason why a server's extensions are not acceptable.
    package struct Objection: Error, Hashable, Sendable {
        /// The end of the sentence "The server's 101 response is not a valid upgrade: …".
        package var reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

/// The negotiated compression, as seen from one end.
package struct DeflateAgreement: Hashable, Sendable {
    /// Whether messages from this end may refer to earlier ones.
    package var sendingContextTakeover: Bool
    /// Whether messages from the peer may refer to earlier ones.
    package var receivingContextTakeover: Bool
    /// The window for messages from this end as a power of two: 8 to 15.
    package var sendingWindowBits: Int
    /// The window for messages from the peer as a power of two: 8 to 15.
    package var receivingWindowBits: Int
    /// Local settings, which are not negotiated.
    package var level: Int
    package var minimumSize: Int
    package var maximumRatio: Int

    /// Makes an agreement with all values of `options`.
    package init(_ options: WebSocketDeflate) {
        // The properties may have been set to any value since initialization.
        let options = options.clamped
        self.sendingContextTakeover = options.sendingContextTakeover
        self.receivingContextTakeover = options.receivingContextTakeover
        self.sendingWindowBits = options.sendingWindowBits
        self.receivingWindowBits = options.receivingWindowBits
        self.level = options.level
        self.minimumSize = options.minimumSize
        self.maximumRatio = options.maximumRatio
    }
}

extension DeflateAgreement {
    /// Whether messages from this end refer to earlier ones. Not with a window of 8, which zlib lacks: one message that
    /// fits into it needs no window, but two do.
    var keepsSendingContext: Bool { sendingContextTakeover && compressesPieces }

    /// Whether messages of unknown size can be compressed.
    var compressesPieces: Bool { sendingWindowBits > 8 }

    /// The largest message in bytes that is compressed at once on the shared event loop: about 15 ms of work. A larger
    /// one is sent without compression.
    static var largestWhole: Int { 256 * 1024 }

    /// Whether a message of `size` bytes is compressed.
    func compresses(size: Int) -> Bool {
        size >= max(1, minimumSize) && size <= (compressesPieces ? Self.largestWhole : 256)
    }
}

/// The parameters of permessage-deflate in one offer or one response (RFC 7692, 7.1).
struct DeflateParameters: Hashable, Sendable {
    /// The name of the extension.
    static let name = "permessage-deflate"

    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverMaxWindowBits: Int?
    /// In an offer, the parameter may have no value; it is then 15.
    var clientMaxWindowBits: Int?

    init() {}

    /// Parses parameters. Returns `nil` if one is unknown, repeated or has an invalid value.
    ///
    /// - Parameter isOffer: Whether the parameters come from a client's offer.
    init?(_ parameters: [ExtensionOffer.Parameter], isOffer: Bool) {
        var seen: Set<String> = []
        for parameter in parameters {
            guard seen.insert(parameter.name).inserted else { return nil }
            switch (parameter.name, parameter.value) {
            case ("server_no_context_takeover", nil):
                serverNoContextTakeover = true
            case ("client_no_context_takeover", nil):
                clientNoContextTakeover = true
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                serverMaxWindowBits = bits
            case ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                clientMaxWindowBits = bits
            case ("client_max_window_bits", nil) where isOffer:
                clientMaxWindowBits = 15
            default:
                return nil
            }
        }
    }

    /// Parses a decimal number from 8 to 15 without leading zeros (RFC 7692, 7.1.2).
    private static func windowBits(_ text: String) -> Int? {
        (8...15).first { String($0) == text }
    }

    /// Returns the extension with these parameters as header field text.
    func text(isOffer: Bool) -> String {
        var text = Self.name
        if serverNoContextTakeover { text += "; server_no_context_takeover" }
        if clientNoContextTakeover { text += "; client_no_context_takeover" }
        if let serverMaxWindowBits { text += "; server_max_window_bits=\(serverMaxWindowBits)" }
        if let clientMaxWindowBits {
            text += "; client_max_window_bits"
            if !isOffer || clientMaxWindowBits < 15 { text += "=\(clientMaxWindowBits)" }
        }
        return text
    }
}
