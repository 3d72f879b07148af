import HoldfastTransport

/// One element of `Sec-WebSocket-Extensions` (RFC 6455, 9.1): a name and its parameters.
package struct ExtensionOffer: Hashable, Sendable {
    /// A parameter. Its value has no quotes.
    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: String?
    }

    package var name: String
    package var parameters: [Parameter] = []

    /// Parses all elements of the field, in order and over all its lines. Returns `nil` if one is malformed. Empty
    /// elements are ignored (RFC 9110, 5.6.1.2).
    package static func list(_ fieldValues: [String]) -> [ExtensionOffer]? {
        var offers: [ExtensionOffer] = []
        for value in fieldValues {
            var reader = Reader(rest: Array(value.utf8)[...])
            guard reader.readList(into: &offers) else { return nil }
        }
        return offers
    }

    /// Parses one line in linear time: every step consumes at least one byte.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func readList(into offers: inout [ExtensionOffer]) -> Bool {
            skipBlanks()
            while !rest.isEmpty {
                if take(",") { continue }
                guard let offer = readOffer() else { return false }
                offers.append(offer)
                guard rest.isEmpty || take(",") else { return false }
            }
            return true
        }

        private mutating func readOffer() -> ExtensionOffer? {
            guard let name = readToken() else { return nil }
            var offer = ExtensionOffer(name: name)
            while take(";") {
                guard let name = readToken() else { return nil }
                var parameter = Parameter(name: name)
                if take("=") {
                    guard let value = rest.first == UInt8(ascii: "\"") ? readQuoted() : readToken() else { return nil }
                    parameter.value = value
                }
                offer.parameters.append(parameter)
            }
            return offer
        }

        private mutating func readToken() -> String? {
            let token = rest.prefix { $0.isTokenCharacter }
            guard !token.isEmpty else { return nil }
            rest = rest.dropFirst(token.count)
            skipBlanks()
            return String(decoding: token, as: UTF8.self)
        }

        /// Reads a quoted string, whose content must be a token (RFC 6455, 9.1).
        private mutating func readQuoted() -> String? {
            rest = rest.dropFirst()
            var text: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""):
                    skipBlanks()
                    guard !text.isEmpty, text.allSatisfy({ $0.isTokenCharacter }) else {
                        return nil
                    }
                    return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { return nil }
                    text.append(escaped)
                default:
                    text.append(byte)
                }
            }
            return nil
        }

        /// Consumes a separator and the whitespace after it, if it is next.
        private mutating func take(_ separator: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: separator) else { return false }
            rest = rest.dropFirst()
            skipBlanks()
            return true
        }

        private mutating func skipBlanks() {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        }
    }
}
