extension RequestURL {
    /// The whole URL, in canonical form.
    var text: String { "\(scheme.rawValue)://\(authority)\(target)" }
}
