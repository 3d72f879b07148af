package import HoldfastTrust
package import PinReports

/// A roll-out that is watched: the stages of its bundle, and the number of installations.
package struct RolloutPlan: Hashable, Sendable {
    /// The maximum number of installations. Larger fleets do not exist.
    ///
    /// - Error: `RolloutPlan.Refusal`
    package static let largestFleet = 1 << 40

    /// A time at which more installations may use the version.
    package struct Stage: Hashable, Sendable {
        package var begins: Timestamp
        /// The number of installations that may use the version from this time on, with those of earlier stages.
        package var cohort: Int
    }

    /// Why a roll-out cannot be watched.
    package struct Refusal: Error, Hashable {
        package var reason: String
    }

    /// The name of the bundle's file.
    package let name: String
    package let id: RolloutID
    /// The number of installations of the application.
    package let fleet: Int
    /// The stages, the earliest first. Stages of the bundle that begin at the same time are one.
    package let stages: [Stage]

    /// The time from which a halt has no effect, because no installation waits longer.
    package let end: Timestamp

    /// Reads the roll-out of a bundle. Does not verify the signature: a wrong file can only stop a roll-out.
    ///
    /// - Parameters:
    ///   - fleet: The number of installations.
    ///   - cohorts: The number of installations with the version once each stage has begun, in the order of the
    ///     stages. Without them, the shares of the stages apply to the fleet. Stages for some app versions or platforms
    ///     need them.
    package init(name: String, contents: [UInt8], fleet: Int, cohorts: [Int] = []) throws(Refusal) {
        let (claims, found): (SignedBundle.Claims, (rollout: BundleRollout, notAfter: Timestamp)?)
        do throws(BundleError) {
            let bundle = try SignedBundle(contents)
            (claims, found) = (try bundle.unverifiedClaims(), try bundle.unverifiedRollout())
        } catch {
            throw Refusal(reason: "The file \(name) is not a usable bundle: \(error.reason)")
        }
        guard let rollout = found?.rollout else {
            throw Refusal(reason: "The bundle \(name) has no stages, so that a halt cannot stop it.")
        }
        guard (1...Self.largestFleet).contains(fleet) else {
            throw Refusal(reason: "The size of the fleet must be 1 to \(Self.largestFleet), and is \(fleet).")
        }
        self.name = name
        self.fleet = fleet
        id = RolloutID(application: claims.application, version: claims.version)
        stages = try Self.stages(rollout, name, fleet, cohorts)
        let last = stages.last?.begins ?? Timestamp(secondsSince1970: 0)
        end = last.advanced(bySeconds: BundleHalt.maximumLifetime)
    }

    private static func stages(
        _ rollout: BundleRollout, _ name: String, _ fleet: Int, _ cohorts: [Int]
    ) throws(Refusal) -> [Stage] {
        let begins = Set(rollout.stages.map(\.begins)).sorted()
        guard cohorts.isEmpty || cohorts.count == begins.count else {
            throw Refusal(
                reason: "The bundle \(name) has \(begins.count) stages, but \(cohorts.count) sizes are given.")
        }
        let isLimited = rollout.stages.contains { $0.appVersions != nil || !$0.platforms.isEmpty }
        guard !isLimited || !cohorts.isEmpty else {
            throw Refusal(
                reason: "The bundle \(name) has stages for some app versions or platforms: give the number of "
                    + "installations of each stage.")
        }
        var (stages, largest): ([Stage], Int) = ([], 0)
        for (index, begin) in begins.enumerated() {
            let share = rollout.stages.filter { $0.begins <= begin }.map(\.share).max() ?? 0
            let whole = BundleRollout.Stage.wholeShare
            let cohort =
                cohorts.isEmpty ? max(1, fleet / whole * share + fleet % whole * share / whole) : cohorts[index]
            guard (max(largest, 1)...fleet).contains(cohort) else {
                throw Refusal(
                    reason: "The sizes of the stages of \(name) must not decrease, and be 1 to the size of the fleet.")
            }
            largest = cohort
            stages.append(Stage(begins: begin, cohort: cohort))
        }
        return stages
    }

    /// The stage at a time, by its index; `nil` before the first one, and after the end.
    func stage(at time: Timestamp) -> Int? {
        guard time < end else { return nil }
        return stages.lastIndex { $0.begins <= time }
    }

    /// Returns what a report counts; `nil` if it is not of the application, does not identify the installation, or did
    /// not arrive during the roll-out.
    package func mark(_ facts: ReportFacts) -> RolloutMark? {
        guard facts.key.app == id.application, facts.client != nil, let stage = stage(at: facts.time) else {
            return nil
        }
        return RolloutMark(rollout: id, stage: stages[stage].begins, isCohort: facts.policyVersion == id.version)
    }
}
