/// The `#if` blocks around a place in a declaration.
struct Conditions {
  private var blocks: [Block] = []

  /// One block: what was asked before in it, and what holds in the present part.
  private struct Block {
    var refused: [String] = []
    var current: String?
  }
}

extension Conditions {
  /// The condition under which the place counts, or nil where it always does.
  var text: String? {
    let terms = blocks.flatMap { block in
      block.refused.map { "!(\($0))" } + (block.current.map { ["(\($0))"] } ?? [])
    }
    return terms.isEmpty ? nil : terms.joined(separator: " && ")
  }

  /// Goes into a block, or into its next part.
  mutating func enter(_ condition: String, isAlternative: Bool) {
    if isAlternative { enterElse() } else { blocks.append(Block()) }
    blocks.indices.last.map { blocks[$0].current = condition }
  }

  /// Goes into the part of a block that counts where no other does.
  mutating func enterElse() {
    guard let last = blocks.indices.last else { return }
    blocks[last].refused += blocks[last].current.map { [$0] } ?? []
    blocks[last].current = nil
  }

  mutating func leave() { _ = blocks.popLast() }
}
