/// The names that a backend uses: paths, query items, headers, envelope keys, actions, content types and fields.
/// `.documented` contains the names of the protocol page. Another value describes another backend.
package struct ChatDialect: Hashable, Sendable {
    package var configurationPath = "/api/chat/config"
    package var historyPath = "/api/client/history"
    /// The path of the history if `newRoutesEnabled` is off. No other call has an old route.
    package var legacyHistoryPath = "/history"
    package var unreadPath = "/api/client/history/unread"
    package var searchPath = "/api/client/search"
    package var devicePath = "/api/client/device"

    package var authorizationHeader = "Authorization"
    package var schemeHeader = "X-Auth-Schema"
    /// The header with the client id, used until a device address is known.
    package var clientIDHeader = "X-Client-Id"
    /// The header with the device address, used once it is known.
    package var deviceAddressHeader = "X-Device-Address"

    /// The keys of a frame: `action`, `correlationId`, `data`, `createdAt`.
    package var envelope = WireNames()
    /// The names of the actions.
    package var actions = WireNames()
    /// The names of the content types.
    package var types = WireNames()
    /// The keys inside a frame's `data` and inside REST answers.
    package var fields = WireNames()
    /// The query items: `appMarker`, `chatApiVersion`, `before`, `after`, `count`, `query`, `page`, `size`.
    package var queryItems = WireNames()

    package init() {}

    package static let documented = ChatDialect()

    /// Returns whether the call uses `DELETE`. All other calls use `GET`.
    package func isDeletion(_ request: RESTRequest) -> Bool { request == .deleteDevice }

    /// Returns the path and query of a call, to be appended to the REST base URL without its trailing slash.
    package func target(of request: RESTRequest, newRoutesEnabled: Bool = true) -> String {
        switch request {
        case .configuration(let appMarker, let apiVersion):
            return configurationPath
                + query([("appMarker", appMarker), ("chatApiVersion", String(apiVersion))])
        case .history(let request):
            var items: [(String, String?)] = []
            switch request.bound {
            case .newest: break
            case .before(let uuid): items.append(("before", uuid))
            case .after(let uuid): items.append(("after", uuid))
            }
            items.append(("count", String(request.count)))
            return (newRoutesEnabled ? historyPath : legacyHistoryPath) + query(items)
        case .unread:
            return unreadPath
        case .search(let text, let page, let size):
            return searchPath + query([("query", text), ("page", String(page)), ("size", String(size))])
        case .deleteDevice:
            return devicePath
        }
    }

    /// Returns the headers with the user's token, for REST calls, file transfers and the socket's upgrade.
    package func headers(for credentials: WireCredentials) -> [WireHeader] {
        let values = [(authorizationHeader, credentials.token), (schemeHeader, credentials.scheme)]
        let headers = values.compactMap { name, value in value.map { WireHeader(name, $0) } }
        guard credentials.method == .cookies, !headers.isEmpty else { return headers }
        return [WireHeader("Cookie", headers.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))]
    }

    /// Returns the header that names the client or device of a REST call.
    package func identity(clientID: String, deviceAddress: String?) -> WireHeader {
        deviceAddress.map { WireHeader(deviceAddressHeader, $0) } ?? WireHeader(clientIDHeader, clientID)
    }

    private func query(_ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value in
            value.map { queryItems.outward(name) + "=" + Self.percentEncoded($0) }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Percent-encodes all characters except the unreserved ones of RFC 3986, so that no value can end its query item.
    package static func percentEncoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(contentsOf: [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An HTTP header field.
package struct WireHeader: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The host application's token, and how it is sent.
package struct WireCredentials: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case headers
        case cookies
    }

    package var token: String?
    package var scheme: String?
    package var method: Method

    package init(token: String? = nil, scheme: String? = nil, method: Method = .headers) {
        self.token = token
        self.scheme = scheme
        self.method = method
    }
}

/// The additions of each `chatApiVersion` after the first one, 17. All of them can be read from any server. The version
/// decides what this side may send and what a server can expect to be understood.
package enum APIFeature: Int64, Hashable, Sendable, CaseIterable {
    /// CLIENT_PERSONAL_DATA_PROCESSING.
    case personalDataProcessing = 18
    /// BUTTON_SURVEY.
    case buttonSurveys = 19
    /// CLIENT_UNBLOCKED.
    case clientUnblocked = 20
    /// Comments on surveys, and all answers of a survey in one message: SURVEY_QUALITY_FORM_ANSWER.
    case surveyForms = 21

    /// Returns whether a client of this version supports the feature.
    package func isPart(of version: Int64) -> Bool { version >= rawValue }
}
