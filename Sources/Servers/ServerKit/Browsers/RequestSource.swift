package import HTTPTypes

/// Decides whether a request may come from where it comes from: a page of this server, or the address bar.
///
/// The cookie has `SameSite=Strict`, but other ports of the same host count as the same site. These checks refuse their
/// pages, too. Requests that are not from a browser lack the fields; for them, the form's token decides.
package enum RequestSource {
    /// What a request does.
    package enum Purpose: Hashable, Sendable {
        /// Shows the page. Links from anywhere may lead to it.
        case navigation
        /// Reads something that only the page needs.
        case reading
        /// Changes something.
        case change
        /// Opens a WebSocket.
        case socket
    }

    /// Why a request is refused. The name is stable.
    package enum Refusal: String, Hashable, Sendable {
        /// `Sec-Fetch-Site` names another site.
        case crossSite
        /// `Origin` names another origin.
        case otherOrigin
        /// A WebSocket has no `Origin`. Every browser sends it.
        case noOrigin
    }

    private static let site = HTTPField.Name("Sec-Fetch-Site")
    private static let mode = HTTPField.Name("Sec-Fetch-Mode")

    /// Returns the reason to refuse a request; `nil` if it is allowed.
    ///
    /// - Parameters:
    ///   - fields: The request's fields.
    ///   - own: The origin of the server in this request.
    package static func refusal(_ purpose: Purpose, _ fields: HTTPFields, own: WebOrigin) -> Refusal? {
        let site = site.flatMap { fields[$0] }
        switch (site, purpose) {
        case (nil, _), ("same-origin", _), ("none", .reading), ("none", .navigation): break
        case (_?, .navigation) where mode.flatMap({ fields[$0] }) == "navigate": break
        case (_?, _): return .crossSite
        }
        guard let origin = HTTPField.Name("Origin").flatMap({ fields[$0] }) else {
            return purpose == .socket ? .noOrigin : nil
        }
        // With the referrer policy of the page, browsers send a form with the origin "null". `Sec-Fetch-Site` then
        // proves the origin (Fetch standard, "append a request Origin header").
        if origin == "null", site == "same-origin", purpose != .socket { return nil }
        return WebOrigin(origin) == own ? nil : .otherOrigin
    }

    /// Returns whether a browser loads a page before the person has opened it (Fetch standard, `Sec-Purpose`). The
    /// person may never open it, so that such a request must have no effect.
    package static func isPrefetch(_ fields: HTTPFields) -> Bool {
        ["Sec-Purpose", "Purpose"].compactMap { HTTPField.Name($0) }.contains { name in
            fields[values: name].contains { value in
                value.split { ",; ".contains($0) }.contains { $0.lowercased() == "prefetch" }
            }
        }
    }
}
