/// x
final class DemoStage: Sendable {}
