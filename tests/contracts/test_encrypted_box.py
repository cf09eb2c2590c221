def test_a_box_adds_what_it_cannot_see(project, accounts, fhevm):
    owner = accounts[0]
    box = owner.deploy(project.EncryptedBox)
    for number in (7, 35):
        inputs = fhevm.client.encrypt(box.address, owner.address).add_uint8(number).add_bool(True)
        encrypted = inputs.encrypt()
        box.add(*encrypted.handles, encrypted.proof, sender=owner)
    assert fhevm.debug_decrypt(box.total()) == 42
