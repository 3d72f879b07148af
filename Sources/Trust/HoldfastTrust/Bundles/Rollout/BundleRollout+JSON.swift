import HoldfastBase

extension BundleRollout {
    /// The roll-out as a member of a bundle's payload.
    var json: JSONNode.Value {
        .fields([("stages", .list(stages.map(\.json)))])
    }

    /// Reads the member `rollout` of a payload.
    ///
    /// - Throws: ``BundleError`` with the code `malformed`, or that of ``check(notAfter:)``.
    init(_ value: JSONNode.Value, notAfter: Timestamp) throws(BundleError) {
        let members = try BundleRollout.members(of: value, "The roll-out", allowed: ["stages"])
        guard case .array(let elements) = members["stages"] else {
            throw BundleError(.malformed, "The stages of the roll-out are missing or malformed.")
        }
        guard elements.count <= BundleRollout.maximumStages else {
            throw BundleError(
                .tooManyStages,
                "The roll-out has \(elements.count) stages; the limit is \(BundleRollout.maximumStages).")
        }
        stages = []
        for (number, element) in elements.enumerated() {
            stages.append(try Stage(element.value, name: "Stage \(number + 1) of the roll-out"))
        }
        try check(notAfter: notAfter)
    }

    /// Returns the members of an object.
    fileprivate static func members(
        of value: JSONNode.Value?, _ name: String, allowed: Set<String>
    ) throws(BundleError) -> [String: JSONNode.Value] {
        guard case .object(let members) = value else {
            throw BundleError(.malformed, "\(name) is not an object.")
        }
        // An unknown member could restrict a cohort. Ignoring it could make the cohort larger.
        if let unknown = members.first(where: { !allowed.contains($0.key) }) {
            throw BundleError(.malformed, "\(name) has the unknown key \"\(Printable.text(unknown.key))\".")
        }
        return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
    }
}

extension BundleRollout.Stage {
    fileprivate var json: JSONNode.Value {
        .fields([
            ("share", .number("\(share)")),
            ("begins", .text(begins)),
            (
                "appVersions",
                appVersions.map { .fields([("from", .text($0.lowerBound)), ("through", .text($0.upperBound))]) }
            ),
            ("platforms", platforms.isEmpty ? nil : .list(platforms.sorted().map { .string($0) })),
        ])
    }

    fileprivate init(_ value: JSONNode.Value, name: String) throws(BundleError) {
        let members = try BundleRollout.members(
            of: value, name, allowed: ["share", "begins", "appVersions", "platforms"])
        guard case .number(let digits) = members["share"], let share = Int(digits),
            case .string(let text) = members["begins"], let begins = Timestamp(iso8601: text)
        else {
            throw BundleError(.malformed, "The share or the begin of \(name.lowercased()) is missing or malformed.")
        }
        self.init(share: share, begins: begins)
        if let versions = members["appVersions"] { appVersions = try Self.versions(versions, name) }
        if let platforms = members["platforms"] { self.platforms = try Self.platforms(platforms, name) }
    }

    private static func versions(
        _ value: JSONNode.Value, _ name: String
    ) throws(BundleError) -> ClosedRange<AppVersion> {
        let members = try BundleRollout.members(of: value, "appVersions", allowed: ["from", "through"])
        guard case .string(let lower) = members["from"], case .string(let upper) = members["through"],
            let first = AppVersion(lower), let last = AppVersion(upper)
        else { throw BundleError(.malformed, "The app versions of \(name.lowercased()) are missing or malformed.") }
        guard first <= last else {
            throw BundleError(
                .emptyCohort, "\(name) is for the app versions from \(first) through \(last), which do not exist.")
        }
        return first...last
    }

    private static func platforms(_ value: JSONNode.Value, _ name: String) throws(BundleError) -> Set<String> {
        guard case .array(let elements) = value else {
            throw BundleError(.malformed, "The platforms of \(name.lowercased()) are not a list.")
        }
        guard !elements.isEmpty else {
            throw BundleError(.emptyCohort, "\(name) has an empty list of platforms, so it covers no installation.")
        }
        var names: Set<String> = []
        for element in elements {
            guard case .string(let platform) = element.value, names.insert(platform).inserted else {
                throw BundleError(.malformed, "A platform of \(name.lowercased()) is repeated, or it is not a text.")
            }
        }
        return names
    }
}
