package import HoldfastTrust
package import ServerMarkup

/// A bundle on the page of roll-outs.
package struct RolloutView: Hashable, Sendable {
    /// A stage of the roll-out.
    package struct Stage: Hashable, Sendable {
        /// The begin.
        package var begins: Timestamp
        /// The share of installations in parts of 10,000.
        package var share: Int
        /// The app versions and platforms, in words.
        package var limits: String
        /// The decision of the monitor with its evidence, in words.
        package var decision: String?

        /// Creates a stage.
        package init(begins: Timestamp, share: Int, limits: String) {
            self.begins = begins
            self.share = share
            self.limits = limits
        }
    }

    /// The name of the bundle's file.
    package var name: String
    package var application: String
    package var version: Int64
    package var notAfter: Timestamp?
    /// The stages; empty if all installations switch at once.
    package var stages: [Stage]
    /// The number of reports that name this version, in the newest incidents.
    package var reports: Int64
    /// The number of installations of the application, if the roll-out is watched.
    package var fleet: Int?
    /// The decision of the monitor in words, if there is one.
    package var decision: String?
    /// Whether the roll-out must stop.
    package var isStopped = false
    /// The state of the halt in words, if the roll-out must stop.
    package var halt: String?
    /// The command that stops the roll-out, if the decision suggests it.
    package var haltCommand: String?

    /// Creates the view of a bundle.
    package init(
        name: String, application: String, version: Int64, notAfter: Timestamp?, stages: [Stage] = [],
        reports: Int64 = 0, decision: String? = nil, haltCommand: String? = nil
    ) {
        self.name = name
        self.application = application
        self.version = version
        self.notAfter = notAfter
        self.stages = stages
        self.reports = reports
        self.decision = decision
        self.haltCommand = haltCommand
    }
}

extension RolloutView.Stage {
    /// The maximum number of stages that a page shows. Further ones are left out.
    private static let limit = 32

    /// Reads the stages of a bundle's payload, the earliest first. Malformed stages are left out: apps refuse them.
    static func stages(_ rollout: JSONNode.Value) -> [Self] {
        guard case .array(let elements)? = member("stages", of: rollout) else { return [] }
        return elements.prefix(limit).compactMap { stage($0.value) }.sorted { $0.begins < $1.begins }
    }

    private static func stage(_ value: JSONNode.Value) -> Self? {
        guard case .number(let digits)? = member("share", of: value), let share = Int(digits),
            case .string(let text)? = member("begins", of: value), let begins = Timestamp(iso8601: text)
        else { return nil }
        var limits: [String] = []
        if let versions = member("appVersions", of: value), case .string(let first)? = member("from", of: versions),
            case .string(let last)? = member("through", of: versions)
        {
            limits.append("app versions \(first) to \(last)")
        }
        if case .array(let platforms)? = member("platforms", of: value) {
            let names = platforms.compactMap { if case .string(let name) = $0.value { name } else { nil } }
            limits.append("platforms " + names.joined(separator: ", "))
        }
        return Self(begins: begins, share: share, limits: limits.isEmpty ? "all" : limits.joined(separator: "; "))
    }

    private static func member(_ name: String, of value: JSONNode.Value) -> JSONNode.Value? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == name }?.value.value
    }
}

extension ReportDeskPages {
    /// Returns the page of roll-outs, the newest version first.
    package func rollouts(_ rollouts: [RolloutView]) -> HTML {
        let items = rollouts.map(rollout)
        let none: HTML? =
            rollouts.isEmpty
            ? "<p class=\"none\">The desk knows no bundle. Name bundles with --known-policy.</p>" : nil
        return page("Roll-outs", current: DeskPaths.rollouts, "<h1>Roll-outs</h1>\(none)\(items)")
    }

    private func rollout(_ rollout: RolloutView) -> HTML {
        let rows = rollout.stages.map { stage -> HTML in
            """
            <tr data-begun="\(stage.begins <= now ? "true" : "false")"><th scope="row">\(DeskTime.element(stage.begins))\
            </th><td class="number">\(Self.percent(stage.share))</td><td dir="auto">\(stage.limits)</td>\
            <td>\(stage.begins <= now ? "begun" : "later")</td><td dir="auto">\(stage.decision ?? "")</td></tr>
            """
        }
        let stages: HTML =
            rows.isEmpty
            ? "<p>Without stages: every installation switches when it fetches the bundle.</p>"
            : """
            <div class="scroll" role="region" aria-label="Stages of version \(rollout.version)" tabindex="0"><table>\
            <caption class="hidden">Stages</caption><thead><tr><th scope="col">Begins</th>\
            <th scope="col">Share of installations</th><th scope="col">Only</th><th scope="col">State</th>\
            <th scope="col">Decision</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
        let halt: HTML? = rollout.haltCommand.map {
            "<p>Stop the roll-out where the halt key is:</p><pre tabindex=\"0\"><code>\($0)</code></pre>"
        }
        let fleet: HTML? = rollout.fleet.map {
            "<div><dt>Installations</dt><dd>\(RolloutWords.grouped($0))</dd></div>"
        }
        let state: HTML? = rollout.halt.map { "<div><dt>Halt</dt><dd dir=\"auto\">\($0)</dd></div>" }
        let end: HTML? = rollout.notAfter.map { "<div><dt>Fresh until</dt><dd>\(DeskTime.element($0))</dd></div>" }
        return """
            <section class="rollout" data-stopped="\(rollout.isStopped ? "true" : "false")"><h2><bdi>\(rollout.application)</bdi>, version \(rollout.version)</h2>\
            <dl class="facts"><div><dt>File</dt><dd><bdi>\(rollout.name)</bdi></dd></div>\(end)\
            <div><dt>Reports of this version</dt><dd>\(rollout.reports)</dd></div>\(fleet)\
            <div><dt>Decision</dt><dd dir="auto">\(rollout.decision ?? "none: the roll-out is not watched")</dd></div>\
            \(state)</dl>\
            \(stages)\(halt)</section>
            """
    }

    /// Returns parts of 10,000 as a percentage with up to two decimals.
    static func percent(_ share: Int) -> String {
        let share = min(max(share, 0), 10_000)
        let (whole, rest) = share.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole) %" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }
}
