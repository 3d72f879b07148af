/// The version of the chat protocol that the app speaks with its server. The raw value is what goes over the wire as
/// `chatApiVersion`.
///
/// Nothing discovers it: it must be one that the server knows.
public enum APIVersion: UInt, Hashable, Sendable, CaseIterable {
    /// The baseline.
    case api17 = 17
    /// Adds the notice about the processing of personal data.
    case api18 = 18
    /// Adds surveys that are answered with buttons.
    case api19 = 19
    /// Adds the notice that a blocked client is unblocked.
    case api20 = 20
    /// Adds comments on surveys; all answers of a survey go in one message.
    case api21 = 21
}
