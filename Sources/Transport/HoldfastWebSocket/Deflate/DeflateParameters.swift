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
