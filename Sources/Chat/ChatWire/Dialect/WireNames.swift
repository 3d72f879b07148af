/// How a backend spells the documented names. A name that is not listed is spelled as documented.
///
/// The two directions undo each other for every name, also where a backend uses a documented name for something else:
/// such a name is set apart while it is on this side.
package struct WireNames: Hashable, Sendable {
    private var theirs: [String: String] = [:]
    private var ours: [String: String] = [:]

    /// Set before a name that means something else here.
    private static let apart = "dialect:"

    /// `names` from the documented spelling to the backend's. Of two that would have one spelling the first counts.
    package init(_ names: KeyValuePairs<String, String> = [:]) {
        for (documented, spelled) in names
        where documented != spelled && theirs[documented] == nil && ours[spelled] == nil {
            theirs[documented] = spelled
            ours[spelled] = documented
        }
    }

    /// Everything is spelled as documented.
    package var isEmpty: Bool { theirs.isEmpty }

    /// The documented spelling of a backend's name.
    package func inward(_ name: String) -> String {
        if let documented = ours[name] { return documented }
        return theirs[name] != nil || !isEmpty && name.hasPrefix(Self.apart) ? Self.apart + name : name
    }

    /// The backend's spelling of a documented name.
    package func outward(_ name: String) -> String {
        if let spelled = theirs[name] { return spelled }
        return !isEmpty && name.hasPrefix(Self.apart) ? String(name.dropFirst(Self.apart.count)) : name
    }
}
