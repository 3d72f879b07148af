/// How the two ends agree on permessage-deflate during the upgrade (RFC 7692, 5 and 7.1).
package enum DeflateNegotiation {
    /// What a client offers.
    package static func offer(_ options: WebSocketDeflate) -> String {
        offered(options.clamped).text(isOffer: true)
    }

    /// One offer: a server that cannot do what it asks for does without compression.
    private static func offered(_ options: WebSocketDeflate) -> DeflateParameters {
        var parameters = DeflateParameters()
        parameters.serverNoContextTakeover = !options.receivingContextTakeover
        parameters.clientNoContextTakeover = !options.sendingContextTakeover
        if options.receivingWindowBits < 15 { parameters.serverMaxWindowBits = options.receivingWindowBits }
        // Always: it allows the server to set a limit, which costs nothing here.
        parameters.clientMaxWindowBits = options.sendingWindowBits
        return parameters
    }

    /// What a client makes of the extensions in a server's `101`; `nil`: nothing is compressed.
    ///
    /// Throws a reason where they are no answer to the offer; the connection must not be used then (RFC 7692, 5.1 and
    /// 7.1, RFC 6455, 9.1).
    ///
    /// - Parameter options: What was offered; `nil`: nothing.
    package static func accept(
        _ fieldValues: [String], offered options: WebSocketDeflate?
    ) throws(Objection) -> DeflateAgreement? {
        guard let answers = ExtensionOffer.list(fieldValues) else {
            throw Objection("its Sec-WebSocket-Extensions field is malformed")
        }
        guard let answer = answers.first else { return nil }
        guard let options, answers.count == 1, answer.name == DeflateParameters.name else {
            throw Objection("it uses an extension that was not offered")
        }
        guard let granted = DeflateParameters(answer.parameters, isOffer: false) else {
            throw Objection("it answers the offer of compression with parameters that are not allowed")
        }
        let wanted = offered(options.clamped)
        guard granted.serverNoContextTakeover || !wanted.serverNoContextTakeover,
            granted.serverMaxWindowBits ?? 15 <= wanted.serverMaxWindowBits ?? 15,
            granted.clientMaxWindowBits ?? 0 <= wanted.clientMaxWindowBits ?? 0
        else { throw Objection("it grants another compression than was offered") }

        var agreement = DeflateAgreement(options)
        agreement.sendingContextTakeover = options.sendingContextTakeover && !granted.clientNoContextTakeover
        agreement.receivingContextTakeover = !granted.serverNoContextTakeover
        agreement.sendingWindowBits = min(agreement.sendingWindowBits, granted.clientMaxWindowBits ?? 15)
        agreement.receivingWindowBits = granted.serverMaxWindowBits ?? 15
        return agreement
    }

    /// What a server makes of a client's offers: the first that it can take, and its answer; `nil`: none.
    ///
    /// Offers with parameters that are unknown, repeated or wrong are passed over (RFC 7692, 7.1).
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
        // Only a client that has named the parameter knows it.
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

    /// Why a server's answer about extensions cannot be taken.
    package struct Objection: Error, Hashable, Sendable {
        /// What follows "the answer is no valid upgrade:" in a sentence.
        package var reason: String

        init(_ reason: String) { self.reason = reason }
    }
}
