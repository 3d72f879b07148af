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
